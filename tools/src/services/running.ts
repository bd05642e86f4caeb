import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf } from './command-of';
import { writeWhole } from './write-whole';

/** The addresses of a running `npm start`'s databases, for the commands beside it. */
export interface Running {
  pid: number;
  databaseUrl: string;
  redisUrl: string;
  gatewayUrl?: string;
}

/** A process as a file names it: with its command line, if that is known. */
export interface RunningProcess {
  pid: number;
  command?: string | undefined;
}

type Announced = Running & RunningProcess;

const fileOf = (dataDir: string): string => join(dataDir, 'running.json');

/**
 * Returns the services that run on `dataDir` at this moment, or null. A file that a killed process left behind does not
 * count, also if another process has its number by now.
 */
export async function findRunning(dataDir: string): Promise<Running | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '');
  // Earlier versions left an empty file at a power cut.
  if (text === '') return null;
  const { command, ...running } = JSON.parse(text) as Announced;
  if (running.pid === process.pid) return null;
  return (await isStillRunning({ pid: running.pid, command })) ? running : null;
}

/** True if the process lives, and its number does not belong to another one by now. */
export async function isStillRunning({ pid, command }: RunningProcess): Promise<boolean> {
  return isAlive(pid) && (command === undefined || command === (await commandOf(pid)));
}

/** Writes the addresses of the databases for the other commands. */
export async function announceRunning(dataDir: string, running: Running): Promise<void> {
  const command = (await commandOf(running.pid)) ?? undefined;
  await writeWhole(fileOf(dataDir), JSON.stringify({ ...running, command } satisfies Announced));
}

/** Deletes what `announceRunning` wrote. */
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
