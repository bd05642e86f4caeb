import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { untilTrue } from '@postrider/testing';
import { SmallDisk } from './small-disk';

describe('a small disk', () => {
  it('has no room while it is filled, and has it again behind that (skipped where nothing can be mounted)', async () => {
    const disk = await SmallDisk.mount(8);
    if (disk === null) return;
    try {
      const write = (name: string): Promise<void> => writeFile(join(disk.folder, name), Buffer.alloc(65_536));
      await write('before');
      await disk.fillWhile(async () => {
        await expect(write('during')).rejects.toMatchObject({ code: 'ENOSPC' });
      });
      await write('after');
      expect((await readdir(disk.folder)).sort()).toEqual(['after', 'before', 'during']);
    } finally {
      await disk.unmount();
    }
  });

  it('stays full when a process makes room on it, as PostgreSQL does with its log (skipped where nothing can be mounted)', async () => {
    const disk = await SmallDisk.mount(8);
    if (disk === null) return;
    try {
      const old = join(disk.folder, 'old');
      await writeFile(old, Buffer.alloc(1_048_576));
      await disk.fillWhile(async () => {
        await rm(old);
        const write = (): Promise<void> => writeFile(join(disk.folder, 'new'), Buffer.alloc(65_536));
        const isFull = (): Promise<boolean> => write().then(() => false, () => true); // prettier-ignore
        await untilTrue(isFull);
      });
    } finally {
      await disk.unmount();
    }
  });
});
