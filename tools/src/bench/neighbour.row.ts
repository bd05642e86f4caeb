import { request } from 'undici';
import { seedApplication } from '../seed/seed-application';
import { Api } from '../start/api';
import type { BenchRow } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';

const DEVICES = Number(process.env.BENCH_NEIGHBOUR_DEVICES ?? 1_000_000);
const PERIOD_SECONDS = Number(process.env.BENCH_NEIGHBOUR_SECONDS ?? 20);
const PERIODS = 3;
const EXPENSIVE_AT_ONCE = 12;
const NEIGHBOUR = 'neighbour';
const NEIGHBOURS_DEVICES = 2_000;
/** How much slower another application's slowest request may be. */
const MOST_MORE_MS = 100;

/**
 * Measures twelve simultaneous dry runs of one application, each as expensive as the limits allow, beside three callers
 * of another application. Periods with and without the dry runs alternate, so that other load of the machine affects
 * both.
 */
export const neighbourRow: BenchRow = {
  name: 'neighbour',
  about: `the slowest request of an application beside ${EXPENSIVE_AT_ONCE} costly dry runs over ${DEVICES.toLocaleString('en')} devices of another, and without them plus ${MOST_MORE_MS} ms`,
  run: async (progress) => {
    const bench = await startBenchSystem(false);
    try {
      const token = await prepare(bench, progress);
      const [without, beside] = [new Times(), new Times()];
      await callNeighbour(bench, token, 3, new Times());
      for (let period = 0; period < PERIODS; period++) {
        await callNeighbour(bench, token, PERIOD_SECONDS, without);
        const expensive = startExpensive(bench);
        await callNeighbour(bench, token, PERIOD_SECONDS, beside);
        progress(`dry runs answered ${JSON.stringify(await expensive.stop())}`);
      }
      for (const kind of without.kinds())
        progress(`${kind}\n    without ${without.say(kind)}\n    beside  ${beside.say(kind)}`);
      const [ours, yardstick] = [beside.slowest(), without.slowest() + MOST_MORE_MS];
      const ratio = Math.round((ours / yardstick) * 100) / 100;
      return {
        row: 'neighbour',
        ours: Math.round(ours),
        yardstick: Math.round(yardstick),
        unit: 'ms',
        ratio,
        goal: '<= 1',
        met: ours <= yardstick,
      };
    } finally {
      await bench.stop();
    }
  },
};

/** @returns a token of the other application */
async function prepare(
  { databases, system, appId, adminToken }: BenchSystem,
  progress: (line: string) => void,
): Promise<string> {
  const speed = await seedApplication(databases.databaseUrl, { appId, devices: DEVICES });
  progress(`${DEVICES.toLocaleString('en')} devices, ${Math.round(speed).toLocaleString('en')} a second`);
  const admin = new Api(system.gatewayUrl, adminToken);
  await admin.call('DELETE', `/api/admin/apps/${NEIGHBOUR}`).catch(() => undefined);
  const { body } = await admin.call<{ tokens: { server: string } }>('POST', '/api/admin/apps', {
    id: NEIGHBOUR,
    name: 'N',
  });
  await admin.call('PUT', `/api/admin/apps/${NEIGHBOUR}/vendors/fcm`, system.simulator['fcm']);
  await seedApplication(databases.databaseUrl, { appId: NEIGHBOUR, devices: NEIGHBOURS_DEVICES, mix: { fcm: 1 } });
  return body.tokens.server;
}

/** How long requests took, by kind. */
class Times {
  readonly #byKind = new Map<string, number[]>();

  add(kind: string, milliseconds: number): void {
    const times = this.#byKind.get(kind) ?? [];
    times.push(milliseconds);
    this.#byKind.set(kind, times);
  }

  kinds(): string[] {
    return [...this.#byKind.keys()];
  }

  slowest(): number {
    return [...this.#byKind.values()].flat().reduce((most, one) => Math.max(most, one), 0);
  }

  say(kind: string): string {
    const sorted = [...(this.#byKind.get(kind) ?? [])].sort((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0);
    return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms of ${sorted.length}`;
  }
}

/** The calls of the other application: one caller of each kind, one request after the other. */
const CALLS: Record<string, (n: number) => { path: string; body: object }> = {
  toUsers: (n) => ({ path: '/api/push/toUsers', body: { user: `user-${n % 1_000}`, content: 'Hello' } }),
  registration: (n) => ({
    path: '/api/installations',
    body: { userId: `new-${n % 500}`, deviceType: 'android', deviceToken: `token-${n % 500}` },
  }),
  'count of a segment': () => ({
    path: '/api/push/byQuery?dryRun=true',
    body: { target: { deviceType: 'android' }, content: 'Hello' },
  }),
};

async function callNeighbour({ system }: BenchSystem, token: string, seconds: number, times: Times): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    Object.entries(CALLS).map(async ([kind, make]) => {
      for (let n = 0; performance.now() < end; n++) {
        const begun = performance.now();
        const { path, body } = make(n);
        const { status, text } = await post(system.gatewayUrl, token, path, body);
        if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
        times.add(kind, performance.now() - begun);
      }
    }),
  );
}

/** Keeps twelve expensive dry runs under way. `stop` returns their answers. */
function startExpensive({ system, serverToken }: BenchSystem): { stop: () => Promise<Record<number, number>> } {
  let isOver = false;
  const answers: Record<number, number> = {};
  const loops = Array.from({ length: EXPENSIVE_AT_ONCE }, async (_, caller) => {
    for (let n = 0; !isOver; n++) {
      const body = { segment: expensiveSegment(caller % 2 === 0), content: 'Hello' };
      const { status } = await post(system.gatewayUrl, serverToken, '/api/push/byQuery?dryRun=true', body);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      return answers;
    },
  };
}

/**
 * Returns a segment of a hundred rules that each read the text of a field as a moment: of one field, or of a hundred.
 */
function expensiveSegment(isOneField: boolean): object {
  const rules = Array.from({ length: 100 }, (_, n) => ({
    name: isOneField ? 'locale' : `field${n}`,
    operator: 'greater_than',
    value: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
  }));
  return { none: rules };
}

async function post(url: string, token: string, path: string, body: object): Promise<{ status: number; text: string }> {
  const answer = await request(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}
