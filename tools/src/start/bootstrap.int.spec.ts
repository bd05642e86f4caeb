import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const BOOTSTRAP = resolve(__dirname, '../../bootstrap.mjs');

describe('what every command runs first', () => {
  let folder: string;

  function write(file: string, content: string | object): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** A project that needs one package, only for its build. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
    const project = { name: 'project', version: '1.0.0', devDependencies: { nx: 'file:nx' } };
    write('package.json', project);
    write('nx/package.json', { name: 'nx', version: '1.0.0' });
    write('nx/dist/bin/nx.js', '');
    const link = { resolved: 'nx', link: true };
    const packages = { '': project, nx: { version: '1.0.0', dev: true }, 'node_modules/nx': link };
    write('package-lock.json', { ...project, lockfileVersion: 3, requires: true, packages });
    mkdirSync(join(folder, 'tools'));
    copyFileSync(BOOTSTRAP, join(folder, 'tools', 'bootstrap.mjs'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('installs what the build needs, also where npm leaves that out', () => {
    const env = { ...process.env, NODE_ENV: 'production', npm_config_omit: 'dev', npm_config_offline: 'true' };
    const { status, stderr } = spawnSync(process.execPath, ['tools/bootstrap.mjs'], { cwd: folder, encoding: 'utf8', env }); // prettier-ignore
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(existsSync(join(folder, 'node_modules/nx'))).toBe(true);
  });
});
