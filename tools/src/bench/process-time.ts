import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { BenchSystem } from './bench-system';

/** Linux counts processor time in hundredths of a second (`USER_HZ`). */
const MICROSECONDS_A_TICK = 10_000;

/** Places in `/proc/<pid>/stat` after the name: the parent, its own time, and that of children that have ended. */
const PARENT = 1;
const OWN_TIMES = [11, 12];
const ENDED_CHILDREN_TIMES = [13, 14];

const MEASURED = [
  'gateway',
  'delivery-worker',
  'delivery-worker-transactional',
  'audience-worker',
  'device-edge',
  'vendor-simulator',
] as const;

/** Processor time of the processes of a system, in microseconds, by name. */
export type ProcessTimes = ReadonlyMap<string, number>;

/** Reads how much processor time the processes of a system have taken (Linux, databases on this machine; else nothing). */
export class ProcessTime {
  private constructor(
    private readonly postmaster: number | undefined,
    private readonly pids: ReadonlyMap<string, number>,
  ) {}

  /** Finds the processes. @param others further processes, by name */
  static async of({ databases, system }: BenchSystem, others?: ReadonlyMap<string, number>): Promise<ProcessTime> {
    const pids = new Map<string, number>(others);
    for (const name of MEASURED) {
      const pid = system.pidOf(name);
      if (pid !== undefined) pids.set(name, pid);
    }
    pids.set('redis', await findRedis(databases.redisUrl));
    return new ProcessTime(await findPostmaster(databases.databaseUrl), pids);
  }

  /** Returns the times so far. */
  read(): ProcessTimes {
    const times = new Map<string, number>();
    if (this.postmaster !== undefined) times.set('postgres', readFamily(this.postmaster));
    for (const [name, pid] of this.pids) times.set(name, sum(readStat(pid), OWN_TIMES));
    return times;
  }
}

/** Returns the times between two readings for each message: `postgres 240 µs, gateway 310 µs`. */
export function sayTimes(before: ProcessTimes, after: ProcessTimes, messages: number): string {
  return [...after]
    .map(([name, until]) => `${name} ${Math.round((until - (before.get(name) ?? 0)) / messages)} µs`)
    .join(', ');
}

/** Returns the time of a server and of everything that it has started: PostgreSQL has a process for each connection. */
function readFamily(parent: number): number {
  let time = sum(readStat(parent), [...OWN_TIMES, ...ENDED_CHILDREN_TIMES]);
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (Number(stat[PARENT]) === parent) time += sum(stat, OWN_TIMES);
  }
  return time;
}

function sum(stat: readonly string[], places: readonly number[]): number {
  return places.reduce((time, place) => time + Number(stat[place] ?? 0) * MICROSECONDS_A_TICK, 0);
}

/** Returns the fields of a process's `stat` after its name, which may contain blanks; none if the process is gone. */
function readStat(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

async function findPostmaster(databaseUrl: string): Promise<number | undefined> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const parent = Number(readStat(rows[0]?.pid ?? 0)[PARENT]);
  await client.end();
  return parent > 1 ? parent : undefined;
}

async function findRedis(url: string): Promise<number> {
  const redis = new Redis(url);
  const info = await redis.info('server');
  redis.disconnect();
  return Number(/^process_id:(\d+)/m.exec(info)?.[1] ?? 0);
}
