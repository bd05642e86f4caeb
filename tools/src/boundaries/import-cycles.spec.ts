import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCycles, type ImportGraph, importsWithinFolders, readImports } from './import-cycles';

const ROOT = resolve(__dirname, '../../..');
const FOLDERS = ['apps', 'libs', 'tools', 'e2e'];

/** Tests may use what is beside and above them. */
const IS_TEST = /\.spec\.tsx?$|\/(?:testing|contract-corpus)\//;

function packages(): Map<string, string> {
  const libs = readdirSync(resolve(ROOT, 'libs')).map((lib): [string, string] => [
    `@postrider/${lib}`,
    `libs/${lib}/src/index.ts`,
  ]);
  return new Map(libs);
}

/** The circles among the files and folders of each folder, with an import of each kind that is in them. */
function findFolderCycles(imports: ImportGraph): { circle: string[]; imports: string[] }[] {
  return [...importsWithinFolders(imports).values()].flatMap(findCycles).map((circle) => {
    const memberOf = (file: string): string | undefined =>
      circle.find((member) => file === member || file.startsWith(`${member}/`));
    const found = new Map<string, string>();
    for (const [file, imported] of imports) {
      for (const other of imported) {
        const [from, to] = [memberOf(file), memberOf(other)];
        if (from !== undefined && to !== undefined && from !== to)
          found.set(`${from} ${to}`, `${file} imports ${other}`);
      }
    }
    return { circle, imports: [...found.values()] };
  });
}

describe('imports', () => {
  const imports = readImports(ROOT, FOLDERS, packages());

  it('lead in no circle, those of types included', () => {
    expect(imports.size).toBeGreaterThan(1_000);
    expect(imports.get('apps/gateway/src/main.ts')).toContain('apps/gateway/src/app.module.ts');
    expect(findCycles(imports)).toEqual([]);
  });

  it('between the files and folders of one folder lead in one direction, those of types included', () => {
    const shipped = [...imports].filter(([file]) => !IS_TEST.test(file));
    expect(findFolderCycles(new Map(shipped))).toEqual([]);
  });

  it('of files that import each other through others are found, and a file that imports itself', () => {
    const circles = new Map([
      ['a', ['b', 'x']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a', 'e']],
      ['e', ['e']],
      ['x', []],
    ]);
    expect(findCycles(circles)).toEqual([['a', 'b', 'c'], ['e']]);
  });

  it('of folders that import each other through different files are found, however deep the files are', () => {
    const circles = new Map([
      ['src/main.ts', ['src/http/server.ts']],
      ['src/http/server.ts', ['src/auth/sessions/cookies.ts', 'src/http/csv.ts']],
      ['src/auth/sessions/cookies.ts', ['src/http/address.ts', 'src/auth/caller.ts']],
      ['src/auth/caller.ts', []],
      ['src/http/address.ts', []],
      ['src/http/csv.ts', []],
    ]);
    expect(findCycles(circles)).toEqual([]);
    expect(findFolderCycles(circles)).toEqual([
      {
        circle: ['src/auth', 'src/http'],
        imports: [
          'src/http/server.ts imports src/auth/sessions/cookies.ts',
          'src/auth/sessions/cookies.ts imports src/http/address.ts',
        ],
      },
    ]);
  });
});
