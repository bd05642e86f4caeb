import { execFile } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../embedded/temporary-folder';

const run = promisify(execFile);
const PIECE = Buffer.alloc(1_048_576);
/** The room that is left for a file that is smaller than a piece. */
const CRUMB_BYTES = 4_096;
const REFILL_EVERY_MS = 50;

/** A small disk in memory that can be filled. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** @returns null where this process may not mount a file system: only root on Linux may */
  static async mount(megabytes: number): Promise<SmallDisk | null> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
    const folder = await temporaryFolder('small-disk');
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]);
      return new SmallDisk(folder);
    } catch {
      await rm(folder, { recursive: true, force: true });
      return null;
    }
  }

  /**
   * Fills the disk while `during` runs: a process that writes more gets ENOSPC. Room that others free meanwhile is
   * filled again at once.
   */
  async fillWhile(during: () => Promise<void>): Promise<void> {
    const path = join(this.folder, 'filler');
    const filler = await open(path, 'w');
    let isOver = false;
    const refill = async (): Promise<void> => {
      while (!isOver) {
        await pause(REFILL_EVERY_MS);
        await fill(filler);
      }
    };
    try {
      await fill(filler);
      await Promise.all([
        during().finally(() => {
          isOver = true;
        }),
        refill(),
      ]);
    } finally {
      await filler.close();
      await rm(path, { force: true });
    }
  }

  async unmount(): Promise<void> {
    await run('umount', [this.folder]).catch(() => run('umount', ['-l', this.folder]));
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function fill(file: FileHandle): Promise<void> {
  for (let bytes = PIECE.length; bytes >= CRUMB_BYTES;) {
    const written = await file.write(PIECE, 0, bytes).then(
      ({ bytesWritten }) => bytesWritten,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 0;
        throw error;
      },
    );
    if (written < bytes) bytes /= 2;
  }
}
