import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf } from './command-of';
import { findRunning, isStillRunning, type RunningProcess } from './running';
import { writeOnce } from './write-whole';

/** The folder belongs to another process. */
export class FolderInUse extends Error {
  constructor(dataDir: string, pid: number, about: string | null | undefined) {
    const who = about ? `process ${pid}, ${about}` : `process ${pid}`;
    super(
      `Postrider already runs or starts on ${dataDir} (${who}). Stop it, or choose another folder: DATA_DIR=<folder>`,
    );
  }
}

const CLAIM = /^claim-(\d+)\.json$/;

/**
 * Makes a process the only one that starts servers on `dataDir` and changes what is there. The claim of a process that has ended
 * does not count.
 *
 * Each claim is a file with the next number, which only one process can make. It is removed only when a later one is there, so the
 * file with the highest number always says whose the folder is, and two processes cannot take over the same dead claim.
 *
 * @returns what gives the folder back
 * @throws FolderInUse if another process has it
 */
export async function claimFolder(dataDir: string, pid = process.pid): Promise<() => Promise<void>> {
  const claim = JSON.stringify({ pid, command: (await commandOf(pid)) ?? undefined } satisfies RunningProcess);
  for (;;) {
    const number = (await numberOfFreeClaim(dataDir, pid)) + 1;
    const file = fileOf(dataDir, number);
    if (!(await writeUnlessThere(file, claim))) continue;
    const others = (await claimsIn(dataDir)).filter((other) => other !== number);
    const isLast = others.every((other) => other < number);
    for (const past of isLast ? others : [number]) await rm(fileOf(dataDir, past), { force: true });
    if (isLast) return () => writeFile(file, '');
  }
}

/** Returns the number of the last claim, whose process has ended; 0 if there is none. */
async function numberOfFreeClaim(dataDir: string, pid: number): Promise<number> {
  const running = await findRunning(dataDir);
  if (running !== null && running.pid !== pid) {
    throw new FolderInUse(dataDir, running.pid, running.gatewayUrl ?? (await commandOf(running.pid)));
  }
  const last = Math.max(0, ...(await claimsIn(dataDir)));
  const holder = await holderOf(fileOf(dataDir, last));
  // A process with our own number is of a container that was started again.
  if (holder !== null && holder.pid !== pid && (await isStillRunning(holder))) {
    throw new FolderInUse(dataDir, holder.pid, holder.command);
  }
  return last;
}

async function claimsIn(dataDir: string): Promise<number[]> {
  return (await readdir(dataDir)).flatMap((name) => {
    const number = CLAIM.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Returns whose claim it is; null if it was given back, or if a later one has replaced it. */
async function holderOf(file: string): Promise<RunningProcess | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text === '' ? null : (JSON.parse(text) as RunningProcess);
}

async function writeUnlessThere(file: string, text: string): Promise<boolean> {
  try {
    await writeOnce(file, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function fileOf(dataDir: string, number: number): string {
  return join(dataDir, `claim-${number}.json`);
}
