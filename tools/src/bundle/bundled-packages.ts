import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A package that a bundle holds. */
export interface BundledPackage {
  name: string;
  version: string;
}

const FOLDER = `${sep}node_modules${sep}`;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** @returns the folders of the packages to which these files belong */
function packageFolders(modules: readonly string[]): string[] {
  const folders = modules.flatMap((path) => {
    const at = path.lastIndexOf(FOLDER);
    if (at < 0) return [];
    const [scope = '', name = ''] = path.slice(at + FOLDER.length).split(sep);
    return path.slice(0, at) + FOLDER + (scope.startsWith('@') ? join(scope, name) : scope);
  });
  return [...new Set(folders)].sort();
}

/**
 * Writes which packages a bundle holds (`packages.json`), and under which licences (`LICENSES.txt`).
 *
 * @param modules the paths of all files in the bundle
 * @param folder of the bundle
 */
export async function writePackages(modules: readonly string[], folder: string): Promise<void> {
  const packages: BundledPackage[] = [];
  const licenses: string[] = [];
  for (const path of packageFolders(modules)) {
    const { name, version } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as BundledPackage;
    packages.push({ name, version });
    const files = (await readdir(path)).filter((file) => LICENSE_FILE.test(file));
    const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
    licenses.push(`${name} ${version}\n\n${texts.join('\n\n').trim()}`);
  }
  await writeFile(join(folder, 'packages.json'), `${JSON.stringify(packages, null, 2)}\n`);
  await writeFile(join(folder, 'LICENSES.txt'), `${licenses.join(`\n\n${'─'.repeat(80)}\n\n`)}\n`);
}
