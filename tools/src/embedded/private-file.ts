import { rm, writeFile } from 'node:fs/promises';

/** A file cannot be written, for example because the disk is full. The error of the system does not say which file it is. */
export class FileNotWritten extends Error {
  constructor(file: string, cause: Error) {
    super(`${file} cannot be written: ${cause.message}`, { cause });
  }
}

/**
 * Writes a file that only its owner may read.
 *
 * @param file what an error calls it
 * @throws FileNotWritten if there is no room, for example; nothing is left behind
 */
export async function writePrivateFile(path: string, text: string, file: string = path): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600, flush: true });
  } catch (error) {
    // If that fails too, the first error is the one that counts.
    await rm(path, { force: true }).catch(() => undefined);
    throw new FileNotWritten(file, error as Error);
  }
}
