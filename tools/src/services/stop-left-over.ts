import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf } from './command-of';
import { isAlive } from './running';

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Stops the PostgreSQL that a killed start could not stop.
 *
 * @param folder the folder of its data
 */
export async function stopLeftOver(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => null);
  const [number, dataDir] = text?.split('\n') ?? [];
  const pid = Number(number);
  if (!pid || !dataDir || !`${await commandOf(pid)} `.includes(` -D ${dataDir} `)) return;
  process.kill(pid, 'SIGINT');
  for (let waitedMs = 0; isAlive(pid) && waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS)
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
}
