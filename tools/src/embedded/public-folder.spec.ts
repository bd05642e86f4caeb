import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publicCopyOf } from './public-folder';

const ANOTHER_USER = 65_534;
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('the copy of programs that every user can read', () => {
  let folder: string;
  let programs: string;
  let link: string;
  const copies: string[] = [];

  async function copy(to = link): Promise<string> {
    const made = await publicCopyOf(programs, to);
    copies.push(made);
    return made;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'public-'));
    programs = join(folder, 'native');
    link = join(folder, '.cache', 'programs-1');
    await mkdir(join(programs, 'bin'), { recursive: true });
    await writeFile(join(programs, 'bin', 'postgres'), 'ours');
  });
  afterEach(async () => {
    for (const made of copies.splice(0)) await rm(dirname(made), { recursive: true, force: true });
    await rm(folder, { recursive: true });
  });

  it('is made once, and found again by its link', async () => {
    const first = await copy();
    await rm(programs, { recursive: true });
    expect(await copy()).toBe(first);
    expect(await readFile(join(first, 'bin', 'postgres'), 'utf8')).toBe('ours');
    expect(await realpath(link)).toBe(first);
  });

  it('is another one for another version', async () => {
    const first = await copy();
    await writeFile(join(programs, 'bin', 'postgres'), 'newer');
    const second = await copy(join(folder, '.cache', 'programs-2'));
    expect(second).not.toBe(first);
    expect(await readFile(join(second, 'bin', 'postgres'), 'utf8')).toBe('newer');
  });

  it('is made again after the machine has cleaned it away', async () => {
    await rm(dirname(await copy()), { recursive: true });
    expect(await readFile(join(await copy(), 'bin', 'postgres'), 'utf8')).toBe('ours');
  });

  it('is not taken from a folder that others may write to', async () => {
    const first = await copy();
    await chmod(dirname(first), 0o777);
    expect(await copy()).not.toBe(first);
  });

  it('is not taken by way of a link that stands in its place', async () => {
    const first = await copy();
    await rm(dirname(first), { recursive: true });
    await symlink(folder, dirname(first));
    expect(await copy()).not.toBe(first);
  });

  asRoot('is not taken from a folder that another user made (looked at as root)', async () => {
    const first = await copy();
    await chown(dirname(first), ANOTHER_USER, ANOTHER_USER);
    expect(await copy()).not.toBe(first);
  });
});
