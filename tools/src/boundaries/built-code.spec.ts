import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

/** Returns every file below a folder, by its path from there. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

describe('the built sources', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'postrider-built-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['audience-worker', 'delivery-worker', 'device-edge', 'gateway', 'promo-worker'])(
    'hold no specs and no test code in %s',
    (app) => {
      const swc = join(ROOT, 'node_modules', '.bin', 'swc');
      const words = ['src', '-d', folder, '--strip-leading-paths', '--config-file', '../../.swcrc'];
      execFileSync(swc, words, { cwd: join(ROOT, 'apps', app), stdio: 'pipe' });
      const built = filesBelow(folder);
      expect(built).toContain('main.js');
      expect(built.filter((file) => /\.spec\.|(^|\/)(testing|contract-corpus)\//.test(file))).toEqual([]);
    },
  );
});
