import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileNotWritten } from '../embedded/private-file';
import { writeOnce, writeWhole } from './write-whole';

describe('a file that is written whole', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-whole-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('replaces the former one, and leaves nothing else', async () => {
    const file = join(folder, 'running.json');
    await writeWhole(file, 'first');
    await writeWhole(file, 'second');
    expect(await readFile(file, 'utf8')).toBe('second');
    expect(await readdir(folder)).toEqual(['running.json']);
  });

  it('is not replaced if it may be written only once', async () => {
    const file = join(folder, 'secrets.json');
    await writeOnce(file, 'first');
    await expect(writeOnce(file, 'second')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('first');
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  // Too long a name stands for a full disk, which a test cannot make.
  it.each([writeWhole, writeOnce])('is named by the error if it cannot be written (%p)', async (write) => {
    const file = join(folder, 'n'.repeat(240));
    await expect(write(file, 'text')).rejects.toThrow(FileNotWritten);
    await expect(write(file, 'text')).rejects.toThrow(`${file} cannot be written: ENAMETOOLONG`);
    expect(await readdir(folder)).toEqual([]);
  });
});
