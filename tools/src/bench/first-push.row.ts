import { Client } from 'pg';
import { seedApplication } from '../seed/seed-application';
import { Api, ApiRefusal } from '../start/api';
import type { BenchRow } from './bench-row';
import { median } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { Simulator } from '../start/simulator';

const DEVICES = Number(process.env.BENCH_FIRST_PUSH_DEVICES ?? 1_000_000);
const ROUNDS = 5;
const LIMIT_MS = 200;
/** As many as the stand-in lists. */
const MOST_ARRIVALS = 10_000;

/** Audiences that take the count some time: all devices, and those with a tag. */
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
      await new Simulator(bench.system.simulatorUrl).configure({ inboxSize: MOST_ARRIVALS });
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

/**
 * Sends a campaign, waits for its first push, cancels it, and waits until the vendor gets nothing more and its devices
 * are recorded.
 */
async function measure(bench: BenchSystem, audience: object): Promise<FirstPush> {
  const server = new Api(bench.system.gatewayUrl, bench.serverToken);
  await new Simulator(bench.system.simulatorUrl).clear();
  const begun = Date.now();
  const { headers } = await server.call('POST', '/api/push/byQuery', { ...audience, content: 'The sale begins' });
  const answerMs = Date.now() - begun;
  const id = headers.get('x-message-id') ?? '';
  await untilTaken(bench);
  await server.call('POST', `/api/push/messages/${id}/cancel`).catch((error: unknown) => {
    // A small campaign is over already.
    if (!(error instanceof ApiRefusal) || error.status !== 409) throw error;
  });
  const taken = await untilQuiet(bench);
  await untilEnded(bench, id);
  if (taken > MOST_ARRIVALS) throw new Error(`The vendor took ${taken} before the campaign was cancelled: take fewer`);
  const [first] = await new Simulator(bench.system.simulatorUrl).arrivals(MOST_ARRIVALS);
  return { answerMs, pushMs: (first?.at ?? Number.NaN) - begun };
}

async function untilTaken(bench: BenchSystem): Promise<void> {
  while ((await countTaken(bench)) === 0) await new Promise((later) => setTimeout(later, 5));
}

const QUIET_MS = 500;

/** @returns how many messages the vendor has accepted, when no more come */
async function untilQuiet(bench: BenchSystem): Promise<number> {
  let seen = -1;
  for (let since = Date.now(); Date.now() - since < QUIET_MS;) {
    const taken = await countTaken(bench);
    if (taken !== seen) [seen, since] = [taken, Date.now()];
    await new Promise((later) => setTimeout(later, 50));
  }
  return seen;
}

/**
 * Waits for the end of a cancelled campaign: its rest is written for a million devices, and the next one would wait for
 * that.
 */
async function untilEnded({ appId, databases }: BenchSystem, messageId: string): Promise<void> {
  const client = new Client({ connectionString: databases.databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query(
        `SELECT 1 FROM messages WHERE app_id = $1 AND id = $2 AND (status = 'done' OR resolved_at IS NOT NULL AND NOT EXISTS (
           SELECT FROM pages WHERE app_id = $1 AND message_id = $2 AND state <> 'finished'
         ))`,
        [appId, messageId],
      );
      if (rows.length > 0) return;
      await new Promise((later) => setTimeout(later, 100));
    }
  } finally {
    await client.end();
  }
}

async function countTaken({ system }: BenchSystem): Promise<number> {
  return (await new Simulator(system.simulatorUrl).counts()).accepted;
}
