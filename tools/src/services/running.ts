import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The addresses of a running `npm start`'s databases, for the commands beside it. */
export interface Running {
  pid: number;
  databaseUrl: string;
  redisUrl: string;
  gatewayUrl?: string;
}

const fileOf = (dataDir: string): string => join(dataDir, 'running.json');

/**
 * Returns the services that run on `dataDir` at this moment, or null. A file that a killed process left behind does not
 * count.
 */
export async function findRunning(dataDir: string): Promise<Running | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const running = JSON.parse(text) as Running;
  return isAlive(running.pid) && running.pid !== process.pid ? running : null;
}

/** Tells the commands beside this one the addresses of the databases. */
export async function announceRunning(dataDir: string, running: Running): Promise<void> {
  await writeFile(fileOf(dataDir), JSON.stringify(running), { mode: 0o600 });
}

/** Takes the announcement back. */
export async function withdrawRunning(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}

/** True if a process of that number lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
