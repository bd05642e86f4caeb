import { chmod, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file in a temporary folder that says which process it is of. */
const OWNER = '.owner';

/**
 * A new folder for data that does not outlive the command. Everybody may enter it: a PostgreSQL that root starts runs as
 * another user and must reach its data there. Removes what killed commands left for the same purpose.
 *
 * @param parent where it is made
 */
export async function temporaryFolder(purpose: string, parent = tmpdir()): Promise<string> {
  const start = `postrider-${purpose}-`;
  await removeAbandoned(parent, start);
  const folder = await mkdtemp(join(parent, start));
  await chmod(folder, 0o755);
  await writeFile(join(folder, OWNER), `${process.pid} ${hostname()}`);
  return folder;
}

/**
 * Removes the folders whose process is over. Those of other containers that share the parent stay, and those that do not name
 * their process yet.
 */
async function removeAbandoned(parent: string, start: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(start));
  for (const name of names) {
    const [pid, host] = (await readFile(join(parent, name, OWNER), 'utf8').catch(() => '')).split(' ');
    if (host !== hostname() || isRunning(Number(pid))) continue;
    // Another command may remove it at the same time.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const MEMORY_FOLDER = '/dev/shm';

/** A folder whose files are in memory and have room for `bytes`; on a machine without one, that of temporary files. */
export async function folderInMemory(bytes: number): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) >= bytes ? MEMORY_FOLDER : tmpdir();
}
