import { seedApplication } from '../seed/seed-application';
import { Api, ApiRefusal } from '../start/api';
import type { BenchRow } from './bench-row';
import { median } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { readArrivals } from './simulator-settings';

const DEVICES = Number(process.env.BENCH_FIRST_PUSH_DEVICES ?? 1_000_000);
const ROUNDS = 5;
const LIMIT_MS = 200;

/** Segments that cost the count something each: everybody, a platform, and tags. */
const CAMPAIGNS: readonly [name: string, audience: object][] = [
  ['everybody', { target: { deviceType: 'android' } }],
  ['a tag', { segment: { all: [{ name: 'tags', operator: 'equal_to', value: 'chess' }] } }],
];

/** How long the vendor waits for the first push of a campaign, from the request on. */
export const firstPushRow: BenchRow = {
  name: 'first-push',
  about: `request to first push at the vendor of a campaign in an application of ${DEVICES.toLocaleString('en')} devices, the slower of two audiences, beside ${LIMIT_MS} ms`,
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      const { databaseUrl } = bench.databases;
      await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
      const medians: number[] = [];
      for (const [name, audience] of CAMPAIGNS) {
        const rounds: FirstPush[] = [];
        await measure(bench, audience);
        for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(bench, audience));
        const pushed = rounds.map(({ pushMs }) => pushMs);
        const answered = median(rounds.map(({ answerMs }) => answerMs));
        progress(
          `${name}: first push after ${pushed.join(', ')} ms, median ${median(pushed)}; the answer after ${answered} ms`,
        );
        medians.push(median(pushed));
      }
      const ours = Math.max(...medians);
      const ratio = Math.round((ours / LIMIT_MS) * 100) / 100;
      return {
        row: 'first-push',
        ours,
        yardstick: LIMIT_MS,
        unit: 'ms',
        ratio,
        goal: '<= 1',
        met: ours <= LIMIT_MS,
      };
    } finally {
      await bench.stop();
    }
  },
};

interface FirstPush {
  answerMs: number;
  pushMs: number;
}

/** Sends a campaign, waits for its first push, cancels it, and waits until the vendor gets nothing more. */
async function measure(bench: BenchSystem, audience: object): Promise<FirstPush> {
  const server = new Api(bench.system.gatewayUrl, bench.serverToken);
  await fetch(`${bench.system.simulatorUrl}/inbox`, { method: 'DELETE' });
  const begun = Date.now();
  const { headers } = await server.call('POST', '/api/push/byQuery', { ...audience, content: 'The sale begins' });
  const answerMs = Date.now() - begun;
  const id = headers.get('x-message-id') ?? '';
  const first = await untilFirst(bench);
  await server.call('POST', `/api/push/messages/${id}/cancel`).catch((error: unknown) => {
    // A small one is over by now.
    if (!(error instanceof ApiRefusal) || error.status !== 409) throw error;
  });
  await untilQuiet(bench);
  return { answerMs, pushMs: first - begun };
}

/** @returns when the newest push came at the moment when there was one at all: the first, or one of its page */
async function untilFirst(bench: BenchSystem): Promise<number> {
  for (;;) {
    const [newest] = await readArrivals(bench, 1);
    if (newest !== undefined) return newest.at;
    await new Promise((later) => setTimeout(later, 2));
  }
}

const QUIET_MS = 500;

async function untilQuiet({ system }: BenchSystem): Promise<void> {
  const simulator = new Api(system.simulatorUrl, '');
  for (let seen = -1, since = Date.now(); Date.now() - since < QUIET_MS;) {
    const { body } = await simulator.call<{ fcm?: { accepted: number } }>('GET', '/stats');
    const taken = body.fcm?.accepted ?? 0;
    if (taken !== seen) [seen, since] = [taken, Date.now()];
    await new Promise((later) => setTimeout(later, 50));
  }
}
