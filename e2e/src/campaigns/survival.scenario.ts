import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '@postrider/testing';
import { Campaign } from '../support/campaign';
import { type CampaignStage, IN_FLIGHT } from './campaign-stage';

const DEVICES = 4_000;
/** As many that their worker has several slices to write while the first pages are sent. */
const DEVICES_OF_SLICES = 10_000;

/** Processes that are killed, stopped or lose their memory while a campaign runs, and a campaign that is cancelled. */
export function survivalScenario(stage: () => CampaignStage): void {
  // Slow enough that a disturbance hits the middle of the campaign.
  beforeEach(() => stage().simulator.configure({ latencyMs: 50 }));

  const inTheMiddle = (devices: number): Promise<true> =>
    until(async () => (await stage().simulator.counts()).accepted > devices / 10 && (true as const));

  const log = (): Promise<string> => readFile(join(stage().postrider.system.logFolder, 'delivery-worker.log'), 'utf8');

  /** As the ledger has them: the reading API counts devices that wait on a cancelled message as cancelled at once. */
  const recordedDeliveries = async (messageId: string): Promise<number> => {
    const [recorded] = await stage().query<{ n: number }>(
      `SELECT ((SELECT count(*) FROM deliveries WHERE message_id = $1 AND is_packed IS NULL)
         + (SELECT coalesce(sum(count), 0) FROM delivery_packs WHERE message_id = $1))::integer AS n`,
      [messageId],
    );
    return recorded?.n ?? 0;
  };

  const campaignDuring = async (
    appId: string,
    disturb: () => Promise<void> | void,
    { kills = 0, devices = DEVICES } = {},
  ): Promise<void> => {
    const server = await Campaign.prepare(stage().postrider, appId, devices);
    const campaign = await Campaign.start(appId, server);
    await inTheMiddle(devices);
    await disturb();
    const status = await campaign.untilDone();
    const totals = { sent: devices, failed: 0, pending: 0 };
    expect(status).toMatchObject({ count: devices, recipients: devices, totals });
    const times = [...(await stage().simulator.tokens()).values()];
    expect(times).toHaveLength(devices);
    expect(Math.max(...times)).toBeLessThanOrEqual(1 + kills);
    expect(times.reduce((sum, one) => sum + one, 0) - devices).toBeLessThanOrEqual(kills * IN_FLIGHT);
  };

  it('reaches every device once, and repeats at most what was in flight, when the delivery worker is killed', async () => {
    const before = (await log()).length;
    await campaignDuring('killed-delivery', () => stage().postrider.system.kill('delivery-worker'), { kills: 1 });
    expect((await log()).slice(before)).toContain('"worker.lost"');
  });

  it('repeats nothing when the delivery worker is told to stop, which it does by itself', async () => {
    await campaignDuring('stopped-delivery', () => stage().postrider.system.kill('delivery-worker', 'SIGTERM'));
    expect(await log()).toContain('"process.stopped"');
    expect(await log()).not.toMatch(/"process\.(stop-timed-out|stopped-at-once)"/);
  });

  it('reaches every device once when the audience worker and the gateway are killed', async () => {
    const kill = (): void => {
      stage().postrider.system.kill('audience-worker');
      stage().postrider.system.kill('gateway');
    };
    await stage().simulator.configure({ latencyMs: 20 });
    await campaignDuring('killed-audience', kill, { devices: DEVICES_OF_SLICES });
  });

  it('reaches every device once when Redis loses everything', async () => {
    const flush = async (): Promise<void> => {
      const redis = new Redis(stage().postrider.redis.url);
      await redis.flushall();
      redis.disconnect();
    };
    await campaignDuring('flushed', flush);
  });

  it('stops when it is cancelled: no page is begun any more, and of every device is said what became of it', async () => {
    // Fifty devices a second: most of them wait when it is cancelled.
    await stage().simulator.configure({ latencyMs: 2_000 });
    const server = await Campaign.prepare(stage().postrider, 'cancelled', DEVICES);
    const campaign = await Campaign.start('cancelled', server);
    await until(async () => (await stage().simulator.counts()).accepted >= IN_FLIGHT && (true as const));
    const begun = await campaign.cancel(stage().postrider.database.url);
    await until(async () => (await recordedDeliveries(campaign.id)) === DEVICES);
    const status = await campaign.untilRecorded(DEVICES, stage().postrider.database.url);
    expect(status.status).toBe('cancelled');
    expect(status.totals.sent).toBe((await stage().simulator.counts()).accepted);
    expect(status.totals.sent).toBeLessThanOrEqual(begun);
    expect(status.totals.cancelled).toBeGreaterThanOrEqual(DEVICES - begun);
    expect(begun).toBeLessThan(DEVICES);
  });
}
