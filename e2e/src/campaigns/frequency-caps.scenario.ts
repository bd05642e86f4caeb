import { until } from '@postrider/testing';
import { Campaign, seedReachable } from '../support/campaign';
import type { CampaignStage } from './campaign-stage';

const DEVICES = 600;
const CAMPAIGNS = 6;
const CAP = 2;

/** Campaigns that leave at once, to users who may have only some of them. */
export function frequencyCapsScenario(stage: () => CampaignStage): void {
  // Slow enough that there is a middle to be disturbed in.
  beforeEach(() => stage().simulator.configure({ latencyMs: 200, inboxSize: 10_000 }));

  const untilAccepted = (devices: number): Promise<true> =>
    until(async () => (await stage().simulator.counts()).accepted >= devices && (true as const));

  it('reach each user exactly as often as the cap allows, all devices alike, though both delivery workers are killed', async () => {
    const { server } = await stage().postrider.createApplication('capped', {
      frequencyCaps: [{ messages: CAP, seconds: 86_400 }],
    });
    await seedReachable(stage().postrider.database.url, 'capped', DEVICES);
    const another = await stage().postrider.system.startAnother('delivery-worker');
    try {
      const campaigns = await Promise.all(
        Array.from({ length: CAMPAIGNS }, (_, n) => Campaign.start('capped', server, { content: `Campaign ${n}` })),
      );
      await untilAccepted(DEVICES / 6);
      stage().postrider.system.kill('delivery-worker');
      await untilAccepted(DEVICES / 2);
      another.kill();
      const ended = await Promise.all(campaigns.map((campaign) => campaign.untilDone()));

      for (const { totals, recipients } of ended) {
        const { sent = 0, skipped = 0 } = totals;
        expect({ recipients, sentOrSkipped: sent + skipped }).toEqual({ recipients: DEVICES, sentOrSkipped: DEVICES });
      }
      expect(ended.reduce((sum, { totals }) => sum + (totals.sent ?? 0), 0)).toBe(CAP * DEVICES);
      const phones = await stage().query<{ token: string; userId: string }>(
        `SELECT token, user_id AS "userId" FROM installations WHERE app_id = 'capped'`,
      );
      const ofUsers = new Map<string, string>();
      for (const { token, userId } of phones) {
        const got = new Set((await stage().simulator.inboxOf(token)).map(({ body }) => body));
        expect({ token, campaigns: got.size }).toEqual({ token, campaigns: CAP });
        const names = [...got].sort().join();
        expect({ userId, names }).toEqual({ userId, names: ofUsers.get(userId) ?? names });
        ofUsers.set(userId, names);
      }
    } finally {
      await another.stop();
    }
  });
}
