import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { AppName, Copy } from '../start/system';
import { clockNameOf, copiesOf, DRILLED_APPS, type DrillSystem } from './drill-system';

/** Something that goes wrong. */
export interface Fault {
  name: string;
  inject(drill: DrillSystem): Promise<void> | void;
}

/** Shorter than a lease: the process is only slow. */
const SHORT_PAUSE_MS = 4_000;
/** Longer than a lease: others take its work. */
const LONG_PAUSE_MS = 14_000;

/**
 * Returns every fault that this machine allows: of each process, of each server, of clocks and of disks.
 *
 * @param isDouble true if there are two of each process: then each of the two has its faults
 */
export function faultsOf(
  isDouble: boolean,
  { clocks, disk, redisDisk }: Pick<DrillSystem, 'clocks' | 'disk' | 'redisDisk'>,
): Fault[] {
  const copies = copiesOf(isDouble);
  const ofEach = DRILLED_APPS.flatMap((app) => copies.flatMap((copy) => faultsOfProcess(app, copy)));
  const ofAll = DRILLED_APPS.map((app) => ({
    name: `kill every ${app}`,
    inject: ({ system }: DrillSystem) => copies.forEach((copy) => system.kill(app, 'SIGKILL', copy)),
  }));
  const ofClocks = clocks === null ? [] : clockFaults(copies);
  const ofDisks = [...(disk === null ? [] : DISK), ...(redisDisk === null ? [] : REDIS_DISK)];
  return [...ofEach, ...ofAll, ...SERVERS, ...LINES, ...ofClocks, ...ofDisks];
}

function faultsOfProcess(app: AppName, copy: Copy): Fault[] {
  const name = `${app} ${copy}`;
  return [
    { name: `kill ${name}`, inject: ({ system }) => system.kill(app, 'SIGKILL', copy) },
    { name: `stop ${name}`, inject: ({ system }) => system.kill(app, 'SIGTERM', copy) },
    { name: `pause ${name}`, inject: ({ system }) => pause(system.pidOf(app, copy), SHORT_PAUSE_MS) },
    { name: `suspend ${name}`, inject: ({ system }) => pause(system.pidOf(app, copy), LONG_PAUSE_MS) },
  ];
}

const SERVERS: Fault[] = [
  { name: 'kill postgres', inject: (drill) => drill.killPostgres() },
  { name: 'kill redis', inject: (drill) => drill.killRedis() },
  {
    name: 'wipe redis',
    inject: async ({ redisUrl }) => {
      const redis = new Redis(redisUrl, { maxRetriesPerRequest: 3 });
      redis.on('error', () => undefined);
      await redis.flushall().catch(() => undefined);
      redis.disconnect();
    },
  },
];

/** Durations of a broken line: one that is shorter than the time limits of calls, and one that is longer. */
const LINE_FAULTS_MS = [2_000, 12_000];

/** The network between the processes and a server. */
const LINES: Fault[] = (['postgres', 'redis', 'vendor'] as const).flatMap((to) =>
  (['cut', 'silent', 'slow'] as const).flatMap((fault) =>
    LINE_FAULTS_MS.map((ms) => ({
      name: `${fault} line to ${to} for ${ms / 1_000} s`,
      inject: ({ lines }: DrillSystem) => lines[to].inject(fault, ms),
    })),
  ),
);

/** For how long a clock is wrong. */
const CLOCK_OFF_MS = 12_000;
/** By how much a process's clock is wrong: far more than the second after which the process is not ready. */
const PROCESS_JUMPS_SECONDS = [90, -90];
/** By how much PostgreSQL's clock is wrong, whose time all processes use. */
const POSTGRES_JUMPS_SECONDS = [20, -20];

function clockFaults(copies: readonly Copy[]): Fault[] {
  const clocks = [
    ...DRILLED_APPS.flatMap((app) =>
      copies.map((copy) => ({ of: `${app} ${copy}`, name: clockNameOf(app, copy), jumps: PROCESS_JUMPS_SECONDS })),
    ),
    { of: 'postgres', name: 'postgres', jumps: POSTGRES_JUMPS_SECONDS },
  ];
  return clocks.flatMap(({ of, name, jumps }) =>
    jumps.map((seconds) => ({
      name: `clock of ${of} jumps by ${seconds} s`,
      inject: (drill: DrillSystem) =>
        drill.clocks?.jump(name, seconds, () => new Promise((later) => setTimeout(later, CLOCK_OFF_MS))),
    })),
  );
}

/** How long a disk is full, and if the log of PostgreSQL also runs out of room: then it stops. */
const DISK: Fault[] = [
  { ms: 4_000, isLogFull: false },
  { ms: 12_000, isLogFull: false },
  { ms: 8_000, isLogFull: true },
].map(({ ms, isLogFull }) => ({
  name: `full disk of postgres${isLogFull ? ' and its log' : ''} for ${ms / 1_000} s`,
  inject: ({ disk, databaseUrl }: DrillSystem) =>
    disk?.fillWhile(async () => {
      const later = new Promise((done) => setTimeout(done, ms));
      if (isLogFull) await switchLogs(databaseUrl);
      await later;
    }),
}));

const REDIS_REFUSES_MS = 10_000;

/** A Redis that cannot write its snapshot takes no writes (MISCONF) until it can. */
const REDIS_DISK: Fault[] = [
  {
    name: `full disk of redis for ${REDIS_REFUSES_MS / 1_000} s`,
    inject: ({ redisDisk, redisUrl }: DrillSystem) =>
      redisDisk?.fillWhile(async () => {
        const later = new Promise((done) => setTimeout(done, REDIS_REFUSES_MS));
        await snapshotsOfRedis(redisUrl, 'after 1 s');
        await later;
        await snapshotsOfRedis(redisUrl, 'never');
      }),
  },
];

/** Makes Redis write snapshots, or none any more: a Redis that writes none is not stopped by a failed write. */
async function snapshotsOfRedis(url: string, when: 'after 1 s' | 'never'): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 3 });
  redis.on('error', () => undefined);
  await redis.config('SET', 'save', when === 'never' ? '' : '1 1').catch(() => undefined);
  redis.disconnect();
}

const MOST_SWITCHES = 30;

/** Makes PostgreSQL begin one file of its log after the other, until it cannot make the next one. */
async function switchLogs(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (let n = 0; n < MOST_SWITCHES; n++) {
      // A file that nothing was written to is not left.
      await client.query('SELECT pg_logical_emit_message(false, $1, $1), pg_switch_wal()', ['drill']);
    }
  } catch {
    // It has stopped.
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Stops a process for a while, like a suspended machine or a long garbage collection. */
async function pause(pid: number | undefined, ms: number): Promise<void> {
  if (pid === undefined || !signal(pid, 'SIGSTOP')) return;
  await new Promise((later) => setTimeout(later, ms));
  signal(pid, 'SIGCONT');
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Numbers from 0 to 1 that a seed decides: Park and Miller's "minimal standard" generator (CACM 31, 1988). */
export function numbersFrom(seed: number): () => number {
  let state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
