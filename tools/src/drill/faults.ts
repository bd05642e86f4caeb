import { Redis } from 'ioredis';
import type { AppName, Copy } from '../start/system';
import type { DrillSystem } from './drill-system';

/** Something that goes wrong. */
export interface Fault {
  name: string;
  strike(drill: DrillSystem): Promise<void> | void;
}

const APPS: AppName[] = ['gateway', 'audience-worker', 'delivery-worker', 'promo-worker', 'device-edge'];
/** Shorter than a lease: the process is only slow. */
const SHORT_PAUSE_MS = 4_000;
/** Longer than a lease: others take its work. */
const LONG_PAUSE_MS = 14_000;

/** Every fault there is, by processes and servers; of the processes either one. */
export function faultsOf(isDouble: boolean): Fault[] {
  const copies: Copy[] = isDouble ? [1, 2] : [1];
  const ofEach = APPS.flatMap((app) => copies.flatMap((copy) => faultsOfProcess(app, copy)));
  const ofAll = APPS.map((app) => ({
    name: `kill every ${app}`,
    strike: ({ system }: DrillSystem) => copies.forEach((copy) => system.kill(app, 'SIGKILL', copy)),
  }));
  return [...ofEach, ...ofAll, ...SERVERS, ...LINES];
}

function faultsOfProcess(app: AppName, copy: Copy): Fault[] {
  const name = `${app} ${copy}`;
  return [
    { name: `kill ${name}`, strike: ({ system }) => system.kill(app, 'SIGKILL', copy) },
    { name: `stop ${name}`, strike: ({ system }) => system.kill(app, 'SIGTERM', copy) },
    { name: `pause ${name}`, strike: ({ system }) => pause(system.pidOf(app, copy), SHORT_PAUSE_MS) },
    { name: `suspend ${name}`, strike: ({ system }) => pause(system.pidOf(app, copy), LONG_PAUSE_MS) },
  ];
}

const SERVERS: Fault[] = [
  { name: 'kill postgres', strike: (drill) => drill.killPostgres() },
  { name: 'kill redis', strike: (drill) => drill.killRedis() },
  {
    name: 'wipe redis',
    strike: async ({ redisUrl }) => {
      const redis = new Redis(redisUrl, { maxRetriesPerRequest: 3 });
      redis.on('error', () => undefined);
      await redis.flushall().catch(() => undefined);
      redis.disconnect();
    },
  },
];

/** Shorter than anybody waits, and longer. */
const LINE_FAULTS_MS = [2_000, 12_000];

/** The network between the processes and a server. */
const LINES: Fault[] = (['postgres', 'redis', 'vendor'] as const).flatMap((to) =>
  (['cut', 'silent', 'slow'] as const).flatMap((fault) =>
    LINE_FAULTS_MS.map((ms) => ({
      name: `${fault} line to ${to} for ${ms / 1_000} s`,
      strike: ({ lines }: DrillSystem) => lines[to].suffer(fault, ms),
    })),
  ),
);

/** Stops the process's clock, as a machine that is suspended or a collector that takes long. */
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
