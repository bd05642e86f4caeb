import { mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainSecrets } from './secrets';

describe('the secrets of a start', () => {
  let folder: string;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'secrets-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('are drawn once, also by commands that begin together, and found again', async () => {
    const first = await Promise.all([obtainSecrets(folder), obtainSecrets(folder), obtainSecrets(folder)]);
    expect(first).toEqual([first[0], first[0], first[0]]);
    expect(await obtainSecrets(folder)).toEqual(first[0]);
    expect(await readdir(folder)).toEqual(['secrets.json']);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('are never drawn anew in place of a file that cannot be read', async () => {
    await symlink('secrets.json', join(folder, 'secrets.json'));
    await expect(obtainSecrets(folder)).rejects.toThrow(/ELOOP/);
  });
});
