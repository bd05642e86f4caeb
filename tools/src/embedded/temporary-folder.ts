import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder for data that does not outlive the command. Everybody may enter it: a PostgreSQL that root starts runs as
 * another user and must reach its data there.
 *
 * @param parent where it is made
 */
export async function temporaryFolder(purpose: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, `postrider-${purpose}-`));
  await chmod(folder, 0o755);
  return folder;
}

const MEMORY_FOLDER = '/dev/shm';

/** A folder whose files are in memory and have room for `bytes`; on a machine without one, that of temporary files. */
export async function folderInMemory(bytes: number): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) >= bytes ? MEMORY_FOLDER : tmpdir();
}
