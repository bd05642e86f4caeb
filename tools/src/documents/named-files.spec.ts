import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
/** Made by an installation, a build or a run. */
const NOT_OURS = /^(?:node_modules|dist|test-output|\.(?!ci$).*)$/;
const ALL = filesBelow('');
const FILES = new Set(ALL);
const FOLDERS = new Set(ALL.flatMap(foldersAbove));
const DOCUMENTS = ALL.filter((file) => file.endsWith('.md'));

const CODE = /`([\w./@-]+)`/g;
const PATH = /^(?:apps|libs|tools|e2e|docs|docker|k8s|monitoring)\//;
const SOURCE_FILE = /^[\w./-]+\.(?:ts|tsx|cjs)$/;
/** Every file by the ends of its path, also without the folder `src` of its app or lib: tables leave out what their heading says. */
const ENDS = new Set(ALL.flatMap((file) => [...endsOf(file), ...endsOf(file.replace('/src/', '/'))]));
/** Words that stand for any name. */
const PLACEHOLDER = /^(?:x\.|int\.)/;

/** Returns the names in a document that do not exist in the repository. */
function missingIn(document: string): string[] {
  const text = readFileSync(resolve(ROOT, document), 'utf8');
  const named = [...text.matchAll(CODE)].map(([, name = '']) => name.replace(/\/$/, ''));
  return named.filter((name) => {
    if (PATH.test(name)) return !FILES.has(name) && !FOLDERS.has(name);
    return SOURCE_FILE.test(name) && !PLACEHOLDER.test(name) && !ENDS.has(name);
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(resolve(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.test(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function endsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, first) => parts.slice(first).join('/'));
}

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

describe('the documents', () => {
  it.each(DOCUMENTS)('name only files and folders that there are: %s', (document) => {
    expect(missingIn(document)).toEqual([]);
  });
});
