import { seedApplication } from '../seed/seed-application';
import { atLeast, type BenchRow, median } from './bench-row';
import { startBenchSystem } from './bench-system';
import { runCampaign } from './campaign';
import { installPeer, PEER } from './peer/install-peer';
import { PeerServer } from './peer/peer-server';
import { ProcessTime, sayTimes } from './process-time';

/** Fewer are enough for a quick look. */
const DEVICES = Number(process.env.BENCH_PEER_DEVICES ?? 100_000);
const ROUNDS = 3;
/** The setting of Parse Server. */
const BATCH_SIZE = Number(process.env.BENCH_PEER_BATCH ?? 500);
const POOL_SIZE = Number(process.env.BENCH_PEER_POOL ?? 20);
const REQUEST_TIMEOUT_MS = Number(process.env.BENCH_PEER_TIMEOUT_MS ?? 600_000);

const NOTIFICATION = { title: 'Sale', body: 'Everything must go' };
const CAMPAIGN = { target: { deviceType: 'ios' }, content: 'The sale begins', notification: NOTIFICATION };

/** How many devices a second a campaign reaches, beside another self-hosted server that speaks to the same vendor. */
export const peerRow: BenchRow = {
  name: 'peer',
  about: `a campaign over APNs to ${DEVICES.toLocaleString('en')} devices, REST call to last recorded delivery, beside ${PEER} on the same PostgreSQL`,
  run: async (progress) => {
    const folder = await installPeer(progress);
    const bench = await startBenchSystem(true);
    try {
      const { databaseUrl } = bench.databases;
      await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { apns: 1 }, reachable: true });
      const peer = await PeerServer.start(bench, folder, {
        devices: DEVICES,
        batchSize: BATCH_SIZE,
        poolSize: POOL_SIZE,
        requestTimeoutMs: REQUEST_TIMEOUT_MS,
      });
      try {
        const times = await ProcessTime.of(bench, new Map([['parse-server', peer.pid]]));
        const measured = { ours: [] as number[], yardstick: [] as number[] };
        for (let round = 1; round <= ROUNDS; round++) {
          const first = times.read();
          measured.ours.push(await runCampaign(bench, CAMPAIGN, DEVICES));
          const second = times.read();
          const { sent, failed, rate } = await peer.runCampaign({ alert: NOTIFICATION });
          measured.yardstick.push(rate);
          progress(`round ${round}: ${measured.ours.at(-1)?.toFixed(0)} beside ${rate.toFixed(0)} devices/s`);
          progress(`  processor time a device, ours: ${sayTimes(first, second, DEVICES)}`);
          progress(`  the peer's, ${sent} sent, ${failed} failed: ${sayTimes(second, times.read(), sent)}`);
        }
        return atLeast(5, 'peer', 'devices/s', median(measured.ours), median(measured.yardstick));
      } finally {
        await peer.stop();
      }
    } finally {
      await bench.stop();
    }
  },
};
