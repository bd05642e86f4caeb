import { until } from '@postrider/testing';
import { Campaign } from '../support/campaign';
import type { CampaignStage } from './campaign-stage';

/** At the rate that is cancelled, half a minute of sending. */
const DEVICES = 6_000;

/** A rate, and an end by hand. */
export function steeringScenario(stage: () => CampaignStage): void {
  async function start(appId: string, devices: number, fields: object): Promise<Campaign> {
    const server = await Campaign.prepare(stage().postrider, appId, devices);
    return Campaign.start(appId, server, fields);
  }

  /** Returns how many seconds the turns last that the pages of a message were given. */
  async function secondsGiven(messageId: string): Promise<number> {
    const [paced] = await stage().query<{ seconds: number }>(
      `SELECT extract(epoch FROM p.next_at - m.accepted_at)::float8 AS seconds
       FROM paces p JOIN messages m ON m.app_id = p.app_id AND m.id = p.message_id WHERE m.id = $1`,
      [messageId],
    );
    return paced?.seconds ?? 0;
  }

  it('is admitted page by page, also when its worker is killed, and reaches every device', async () => {
    const campaign = await start('steered', 2_000, { rate: 200 });
    await until(async () => (await stage().simulator.counts()).accepted > 400 && (true as const));
    stage().postrider.system.kill('delivery-worker');
    const status = await campaign.untilDone();
    expect(status).toMatchObject({ totals: { sent: 2_000, pending: 0 } });
    expect((await stage().simulator.tokens()).size).toBe(2_000);
    // 2,000 devices, 200 a second, and a page is a tenth of that: the ledger's turns are checked, not a clock.
    expect(await secondsGiven(campaign.id)).toBeGreaterThan(9.8);
  });

  it('stops when it is cancelled, and says of each device what became of it', async () => {
    const campaign = await start('steered-and-cancelled', DEVICES, { rate: 200 });
    await until(async () => (await stage().simulator.counts()).accepted > 200 && (true as const));
    const begun = await campaign.cancel(stage().postrider.database.url);
    const status = await campaign.untilRecorded(DEVICES, stage().postrider.database.url);
    expect(status.status).toBe('cancelled');
    expect(status.totals.sent).toBe((await stage().simulator.counts()).accepted);
    expect(status.totals.sent).toBeLessThanOrEqual(begun);
    expect(status.totals.cancelled).toBeGreaterThanOrEqual(DEVICES - begun);
    expect(begun).toBeLessThan(DEVICES);
  });
}
