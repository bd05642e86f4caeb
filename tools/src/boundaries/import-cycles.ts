import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** `import … from '…'` and `export … from '…'`, of types too, and `import '…'`. */
const IMPORT = /^(?:import|export)\b(?:[^'";]*?\bfrom\s+)?\s*'([^']+)';?$/gm;
const SOURCE = /\.tsx?$/;
const NOT_OURS = /^(?:node_modules|dist|generated)$/;

/** The imports of each source file, by paths from the root; other packages are left out. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Reads which source files import which.
 * @param root the folder at which the paths begin
 * @param folders the folders of the source files
 * @param packages by a package's name, the file that stands for it
 */
export function readImports(
  root: string,
  folders: readonly string[],
  packages: ReadonlyMap<string, string>,
): ImportGraph {
  const files = folders.flatMap((folder) => sourcesBelow(root, folder));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(resolve(root, file), 'utf8');
      const named = [...text.matchAll(IMPORT)].map(([, name = '']) => packages.get(name) ?? fileOf(file, name, known));
      return [file, named.filter((name) => name !== undefined)];
    }),
  );
}

/** Groups of files that import each other, directly or through others, each in alphabetical order (Tarjan 1972). */
export function findCycles(imports: ImportGraph): string[][] {
  const cycles: string[][] = [];
  const places = new Map<string, { index: number; lowest: number; isOpen: boolean }>();
  const open: string[] = [];
  const visit = (file: string): { index: number; lowest: number; isOpen: boolean } => {
    const place = { index: places.size, lowest: places.size, isOpen: true };
    places.set(file, place);
    open.push(file);
    for (const imported of imports.get(file) ?? []) {
      const known = places.get(imported) ?? visit(imported);
      if (known.isOpen) place.lowest = Math.min(place.lowest, known.lowest);
    }
    if (place.lowest === place.index) close(file);
    return place;
  };
  const close = (file: string): void => {
    const group = open.splice(open.indexOf(file));
    for (const member of group) Object.assign(places.get(member) ?? {}, { isOpen: false });
    if (group.length > 1 || imports.get(file)?.includes(file)) cycles.push(group.toSorted());
  };
  for (const file of imports.keys()) if (!places.has(file)) visit(file);
  return cycles;
}

/**
 * By folder, which of its files and folders import which others. An import counts once, in the folder that is nearest
 * above both files.
 */
export function importsWithinFolders(imports: ImportGraph): ReadonlyMap<string, ImportGraph> {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const [file, imported] of imports) {
    for (const other of imported) {
      const { folder, from, to } = placesBelow(file, other);
      const graph = folders.get(folder) ?? new Map<string, Set<string>>();
      folders.set(folder, graph.set(from, (graph.get(from) ?? new Set()).add(to)));
    }
  }
  return new Map(
    [...folders].map(([folder, graph]) => [folder, new Map([...graph].map(([from, to]) => [from, [...to]]))]),
  );
}

/** The nearest folder above two files, and the files or folders in it that they are, or are below. */
function placesBelow(file: string, other: string): { folder: string; from: string; to: string } {
  const [one, two] = [file.split('/'), other.split('/')];
  let depth = 0;
  while (depth < one.length - 1 && one[depth] === two[depth]) depth++;
  const above = (parts: readonly string[]): string => parts.slice(0, depth + 1).join('/');
  return { folder: one.slice(0, depth).join('/'), from: above(one), to: above(two) };
}

function fileOf(from: string, name: string, known: ReadonlySet<string>): string | undefined {
  if (!name.startsWith('.')) return undefined;
  const path = join(dirname(from), name);
  return [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find((candidate) => known.has(candidate));
}

function sourcesBelow(root: string, folder: string): string[] {
  if (!existsSync(resolve(root, folder))) return [];
  return readdirSync(resolve(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : sourcesBelow(root, path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}
