import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from './bundle-program';

describe('a bundle', () => {
  let folder: string;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'postrider-bundle-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Bundles a program of one file, as SWC would have built it from `greet.ts`. */
  async function bundle(code: string): Promise<string> {
    const entry = join(folder, 'greet.js');
    const map = { version: 3, sources: ['greet.ts'], names: [], mappings: 'AASA' };
    await writeFile(entry, code);
    await writeFile(`${entry}.map`, JSON.stringify(map));
    const file = join(folder, 'bundle', 'main.js');
    await bundleProgram(entry, file);
    return file;
  }

  it('says what the program says, in ASCII', async () => {
    const file = await bundle(`console.log('“چای”', /^چ.$/u.test('چ😀'), \`\${'é'}\`);`);
    expect(await readFile(file, 'utf8')).toMatch(/^[\x20-\x7e\s]+$/);
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe('“چای” true é\n');
  });

  it('shows an error where it was thrown in the source', async () => {
    const file = await bundle(`throw new Error('spilled');`);
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', file], { encoding: 'utf8' });
    expect(stderr).toContain('greet.ts:10');
  });

  it('holds no `import()`', async () => {
    const file = await bundle(
      `import(process.argv[2] ?? 'node:path').then((path) => console.log(path.basename('a/b')));`,
    );
    expect(await readFile(file, 'utf8')).not.toContain('import(');
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe('b\n');
  });

  it('keeps a call that is made only to see whether it throws', async () => {
    const file = await bundle(
      `function isDecodable(text) { try { decodeURIComponent(text); return true; } catch { return false; } }
       console.log(isDecodable('100%'), isDecodable('100%25'));`,
    );
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe('false true\n');
  });

  it('is not made of a program that loads what is not installed', async () => {
    await expect(bundle(`require('not-installed-anywhere');`)).rejects.toThrow('not-installed-anywhere');
  });
});
