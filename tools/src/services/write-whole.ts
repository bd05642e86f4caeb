import { rename, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner may read; who is killed here, or loses power, leaves the former one whole. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await rename(await writeBeside(file, text), file);
}

async function writeBeside(file: string, text: string): Promise<string> {
  const unfinished = `${file}.${process.pid}-${performance.now()}`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  return unfinished;
}
