import { atLeast, type BenchRow, median } from './bench-row';
import { AedesProcess } from './mqtt/aedes-process';
import { startConnectedCrowd } from './mqtt/connected-crowd';
import { crowdRate } from './mqtt/crowd-rate';
import { CrowdProcess } from './mqtt/crowd-process';
import { ProcessTime, sayTimes } from './process-time';

const DEVICES = 1_000;
const MESSAGES = 20;
const ROUNDS = 3;
const SINGLES = 200;
const CONTENT = 'x'.repeat(200);

/** Messages a second to connected devices: accepted, recorded, published and acknowledged; the yardstick only publishes. */
export const mqttRow: BenchRow = {
  name: 'mqtt',
  about: `messages to ${DEVICES} connected devices, from the REST call on, beside a bare aedes that publishes and records nothing`,
  run: async (progress) => {
    const ours = await startConnectedCrowd(DEVICES);
    const aedes = await AedesProcess.start();
    const theirs = await CrowdProcess.start(
      aedes.port,
      'nobody',
      ours.userIds.map((clientId) => ({ clientId, topic: 'all' })),
    );
    const send = (users: string[]): Promise<unknown> =>
      ours.server.call('POST', '/api/push/toUsers', { users, content: CONTENT, channel: 'public/default' });
    const measured = { ours: [] as number[], yardstick: [] as number[] };
    try {
      await send(ours.userIds);
      await ours.crowd.until(DEVICES);
      const times = await ProcessTime.of(ours.bench);
      for (let round = 1; round <= ROUNDS; round++) {
        measured.yardstick.push(
          await crowdRate(theirs, DEVICES * MESSAGES, () =>
            aedes.publish('all', MESSAGES, JSON.stringify({ id: 'x'.repeat(36), content: CONTENT })),
          ),
        );
        const before = times.read();
        measured.ours.push(
          await crowdRate(ours.crowd, DEVICES * MESSAGES, async () => {
            for (let n = 0; n < MESSAGES; n++) await send(ours.userIds);
          }),
        );
        progress(
          `round ${round}: ${measured.ours.at(-1)?.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} messages/s`,
        );
        progress(`  processor time a message: ${sayTimes(before, times.read(), DEVICES * MESSAGES)}`);
      }
      progress(await latency(ours.crowd, (n) => send([ours.userIds[n % DEVICES] ?? ''])));
      return atLeast(1, 'mqtt', 'messages/s', median(measured.ours), median(measured.yardstick));
    } finally {
      theirs.stop();
      aedes.stop();
      await ours.stop();
    }
  },
};

/** One user at a time, from the REST call and from its answer to the device; the crowd reports every 2 ms. */
async function latency(crowd: CrowdProcess, send: (n: number) => Promise<unknown>): Promise<string> {
  const fromCall: number[] = [];
  const fromAcceptance: number[] = [];
  for (let n = 0; n < SINGLES; n++) {
    const count = crowd.received + 1;
    const called = performance.now();
    const received = crowd.until(count).then(() => performance.now());
    await send(n);
    const accepted = performance.now();
    const at = await received;
    fromCall.push(at - called);
    fromAcceptance.push(Math.max(0, at - accepted));
  }
  return `one user: accepted → received ${spread(fromAcceptance)}; from the call on ${spread(fromCall)}`;
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
