import { randomUUID } from 'node:crypto';
import { link, rename, rm } from 'node:fs/promises';
import { writePrivateFile } from '../embedded/private-file';

/**
 * Writes a file that only its owner may read. If the process is killed meanwhile, or loses power, the former file
 * stays complete.
 *
 * @throws FileNotWritten if there is no room, for example; nothing is left behind
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  await rename(await writeBeside(file, text), file);
}

/** The same for a file that must not exist. @throws an error with the code EEXIST if it does; it stays as it is */
export async function writeOnce(file: string, text: string): Promise<void> {
  const unfinished = await writeBeside(file, text);
  try {
    await link(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Not every file system has links.
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function writeBeside(file: string, text: string): Promise<string> {
  const unfinished = `${file}.${randomUUID()}`;
  await writePrivateFile(unfinished, text, file);
  return unfinished;
}
