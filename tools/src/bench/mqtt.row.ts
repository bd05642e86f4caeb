import { atLeast, type BenchRow, median } from './bench-row';
import { AedesProcess } from './mqtt/aedes-process';
import { startConnectedCrowd } from './mqtt/connected-crowd';
import { CrowdProcess } from './mqtt/crowd-process';

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
      for (let round = 1; round <= ROUNDS; round++) {
        measured.yardstick.push(
          await rate(theirs, () =>
            aedes.publish('all', MESSAGES, JSON.stringify({ id: 'x'.repeat(36), content: CONTENT })),
          ),
        );
        measured.ours.push(
          await rate(ours.crowd, async () => {
            for (let n = 0; n < MESSAGES; n++) await send(ours.userIds);
          }),
        );
        progress(
          `round ${round}: ${measured.ours.at(-1)?.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} messages/s`,
        );
      }
      progress(await latency(ours.crowd, (n) => send([ours.userIds[n % DEVICES] ?? ''])));
      return atLeast(0.8, 'mqtt', 'messages/s', median(measured.ours), median(measured.yardstick));
    } finally {
      theirs.stop();
      aedes.stop();
      await ours.stop();
    }
  },
};

async function rate(crowd: CrowdProcess, publish: () => Promise<void> | void): Promise<number> {
  const count = crowd.received + DEVICES * MESSAGES;
  const begun = performance.now();
  void publish();
  await crowd.until(count);
  return (DEVICES * MESSAGES) / ((performance.now() - begun) / 1_000);
}

/** From the REST call to the device, one user at a time; the crowd reports every 2 ms. */
async function latency(crowd: CrowdProcess, send: (n: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let n = 0; n < SINGLES; n++) {
    const count = crowd.received + 1;
    const begun = performance.now();
    await send(n);
    await crowd.until(count);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  return `one user, from the call to the device: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
