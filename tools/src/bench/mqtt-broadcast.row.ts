import { readFileSync } from 'node:fs';
import { atLeast, type BenchRow, median } from './bench-row';
import { AedesProcess } from './mqtt/aedes-process';
import { startConnectedCrowd } from './mqtt/connected-crowd';
import { crowdRate } from './mqtt/crowd-rate';
import { CrowdProcess } from './mqtt/crowd-process';

const MOST_DEVICES = 20_000;
/** The files that a process needs beside the connections. */
const OTHER_FILES = 500;
const ROUNDS = 5;
const CONTENT = 'x'.repeat(200);

/**
 * One message to all devices, all of them connected: resolved, recorded, published and acknowledged; the yardstick only
 * publishes.
 */
export const mqttBroadcastRow: BenchRow = {
  name: 'mqtt-broadcast',
  about: `one message to ${MOST_DEVICES} connected devices, from the REST call on, beside a bare aedes with as many`,
  run: async (progress) => {
    const devices = Math.min(MOST_DEVICES, openFiles() - OTHER_FILES);
    const ours = await startConnectedCrowd(devices);
    const aedes = await AedesProcess.start();
    const members = ours.userIds.map((clientId) => ({ clientId, topic: 'all' }));
    const theirs = await CrowdProcess.start(aedes.port, 'nobody', members);
    progress(`${devices} devices are connected to each`);
    const body = { user: '*', content: CONTENT };
    const payload = JSON.stringify({ id: 'x'.repeat(36), content: CONTENT });
    const measured = { ours: [] as number[], yardstick: [] as number[] };
    try {
      await ours.server.call('POST', '/api/push/toUsers', body);
      await ours.crowd.until(devices);
      for (let round = 1; round <= ROUNDS; round++) {
        const theirRate = await crowdRate(theirs, devices, () => aedes.publish('all', 1, payload));
        const ourRate = await crowdRate(ours.crowd, devices, async () => {
          await ours.server.call('POST', '/api/push/toUsers', body);
        });
        measured.yardstick.push(theirRate);
        measured.ours.push(ourRate);
        progress(
          `round ${round}: ${Math.round((devices / ourRate) * 1_000)} ms beside ${Math.round((devices / theirRate) * 1_000)} ms to the last device`,
        );
      }
      return atLeast(1, 'mqtt-broadcast', 'messages/s', median(measured.ours), median(measured.yardstick));
    } finally {
      theirs.stop();
      aedes.stop();
      await ours.stop();
    }
  },
};

/** Returns how many files a process may have open: Node.js uses its whole limit. */
function openFiles(): number {
  const [, hard = '4096'] = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return hard === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(hard);
}
