import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '@postrider/testing';
import { Campaign } from '../support/campaign';
import { type CampaignStage, IN_FLIGHT } from './campaign-stage';

const DEVICES = 10_000;

/** Processes that are killed, stopped or lose their memory while a campaign runs, and a campaign that is cancelled. */
export function survivalScenario(stage: () => CampaignStage): void {
  // Slow enough that a disturbance hits the middle of the campaign.
  beforeEach(() => stage().simulator.configure({ latencyMs: 20 }));

  const inTheMiddle = (): Promise<true> =>
    until(async () => (await stage().simulator.counts()).accepted > DEVICES / 10 && (true as const));

  /** As the ledger has them: the reading API counts devices that wait on a cancelled message as cancelled at once. */
  const recordedDeliveries = async (messageId: string): Promise<number> => {
    const [recorded] = await stage().query<{ n: number }>(
      `SELECT ((SELECT count(*) FROM deliveries WHERE message_id = $1 AND is_packed IS NULL)
         + (SELECT coalesce(sum(count), 0) FROM delivery_packs WHERE message_id = $1))::integer AS n`,
      [messageId],
    );
    return recorded?.n ?? 0;
  };

  const campaignDuring = async (appId: string, disturb: () => Promise<void> | void, kills: number): Promise<void> => {
    const server = await Campaign.prepare(stage().postrider, appId, DEVICES);
    const campaign = await Campaign.start(appId, server);
    await inTheMiddle();
    await disturb();
    const status = await campaign.untilDone();
    expect(status).toMatchObject({ count: DEVICES, recipients: DEVICES, totals: { sent: DEVICES, pending: 0 } });
    const times = [...(await stage().simulator.tokens()).values()];
    expect(times).toHaveLength(DEVICES);
    expect(times.reduce((sum, one) => sum + one, 0) - DEVICES).toBeLessThanOrEqual(kills * IN_FLIGHT);
  };

  it('reaches every device once, and repeats at most what was in flight, when the delivery worker is killed', async () => {
    await campaignDuring('killed-delivery', () => stage().postrider.system.kill('delivery-worker'), 1);
  });

  it('repeats nothing when the delivery worker is told to stop, which it does by itself', async () => {
    const log = async (): Promise<string> =>
      readFile(join(stage().postrider.system.logFolder, 'delivery-worker.log'), 'utf8');
    await campaignDuring('stopped-delivery', () => stage().postrider.system.kill('delivery-worker', 'SIGTERM'), 0);
    expect(await log()).toContain('"process.stopped"');
    expect(await log()).not.toMatch(/"process\.(stop-timed-out|stopped-at-once)"/);
  });

  it('reaches every device once when the audience worker and the gateway are killed', async () => {
    const kill = (): void => {
      stage().postrider.system.kill('audience-worker');
      stage().postrider.system.kill('gateway');
    };
    await campaignDuring('killed-audience', kill, 0);
  });

  it('reaches every device once when Redis loses everything', async () => {
    const flush = async (): Promise<void> => {
      const redis = new Redis(stage().postrider.redis.url);
      await redis.flushall();
      redis.disconnect();
    };
    await campaignDuring('flushed', flush, 0);
  });

  it('stops when it is cancelled: no page is begun any more, and of every device is said what became of it', async () => {
    // A hundred devices a second: most of them wait when it is cancelled.
    await stage().simulator.configure({ latencyMs: 1_000 });
    const server = await Campaign.prepare(stage().postrider, 'cancelled', DEVICES);
    const campaign = await Campaign.start('cancelled', server);
    await until(async () => (await stage().simulator.counts()).accepted > 2 * IN_FLIGHT && (true as const));
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
