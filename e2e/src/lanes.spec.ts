import { until } from '@postrider/testing';
import type { Api } from '@postrider/tools/start/api';
import { type CampaignStage, IN_FLIGHT, startStage } from './campaigns/campaign-stage';
import { Campaign } from './support/campaign';

const DEVICES = 4_000;
const MESSAGES = 1_000;
const AT_ONCE = 16;

/** Two delivery workers, as people start them. */
describe('a delivery worker for each lane', () => {
  let stage: CampaignStage;
  beforeAll(async () => {
    stage = await startStage({ hasLanes: true });
  });
  afterAll(() => stage?.postrider.stop());
  beforeEach(async () => {
    await stage.clear();
    await stage.simulator.configure({ latencyMs: 50 });
  });

  const accepted = async (): Promise<number> => (await stage.simulator.counts()).accepted;

  /** Sends one message to each of as many users. */
  async function sendToEach(server: Api, appId: string): Promise<void> {
    const left = await stage.query<{ user: string }>(
      `SELECT user_id AS user FROM installations WHERE app_id = $1 GROUP BY user_id HAVING count(*) = 1 LIMIT $2`,
      [appId, MESSAGES],
    );
    expect(left).toHaveLength(MESSAGES);
    const sendNext = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop())
        await server.call('POST', '/api/push/toUsers', { user: next.user, content: 'Your parcel is on its way' });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  }

  /** Waits until nothing of an application is open. @returns how many devices were sent to */
  async function sentWhenDone(appId: string): Promise<number> {
    await until(async () => {
      const [open] = await stage.query(`SELECT 1 FROM messages WHERE app_id = $1 AND status <> 'done' LIMIT 1`, [
        appId,
      ]);
      return open === undefined && (true as const);
    });
    const [sent] = await stage.query<{ n: number }>(
      `SELECT ((SELECT count(*) FROM deliveries WHERE app_id = $1 AND state = 'sent' AND is_packed IS NULL)
         + (SELECT coalesce(sum(count), 0) FROM delivery_packs WHERE app_id = $1))::integer AS n`,
      [appId],
    );
    return sent?.n ?? 0;
  }

  it.each(['delivery-worker', 'delivery-worker-transactional'] as const)(
    'loses nothing of either lane when %s is killed in the middle of both',
    async (killed) => {
      const [sale, parcels] = [`sale-${killed}`, `parcels-${killed}`];
      const toAll = await Campaign.prepare(stage.postrider, sale, DEVICES);
      const toOne = await Campaign.prepare(stage.postrider, parcels, 3 * MESSAGES);
      await Campaign.start(sale, toAll);
      const sending = sendToEach(toOne, parcels);
      await until(async () => (await accepted()) > DEVICES / 10 && (true as const));
      stage.postrider.system.kill(killed);
      await sending;
      expect(await sentWhenDone(sale)).toBe(DEVICES);
      expect(await sentWhenDone(parcels)).toBe(MESSAGES);
      const times = [...(await stage.simulator.tokens()).values()];
      expect(times).toHaveLength(DEVICES + MESSAGES);
      expect((await accepted()) - DEVICES - MESSAGES).toBeLessThanOrEqual(IN_FLIGHT);
    },
  );
});
