import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCycles, readImports } from './import-cycles';

const ROOT = resolve(__dirname, '../../..');
const FOLDERS = ['apps', 'libs', 'tools', 'e2e'];

function packages(): Map<string, string> {
  const libs = readdirSync(resolve(ROOT, 'libs')).map((lib): [string, string] => [
    `@postrider/${lib}`,
    `libs/${lib}/src/index.ts`,
  ]);
  return new Map(libs);
}

describe('imports', () => {
  it('lead in no circle, those of types included', () => {
    const imports = readImports(ROOT, FOLDERS, packages());
    expect(imports.size).toBeGreaterThan(1_000);
    expect(imports.get('apps/gateway/src/main.ts')).toContain('apps/gateway/src/app.module.ts');
    expect(findCycles(imports)).toEqual([]);
  });

  it('of files that import each other through others are found, and a file that imports itself', () => {
    const imports = new Map([
      ['a', ['b', 'x']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a', 'e']],
      ['e', ['e']],
      ['x', []],
    ]);
    expect(findCycles(imports)).toEqual([['a', 'b', 'c'], ['e']]);
  });
});
