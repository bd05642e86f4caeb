import { until } from '@postrider/testing';
import type { Api } from '@postrider/tools/start/api';
import { Campaign } from '../support/campaign';
import { type CampaignStage, IN_FLIGHT } from './campaign-stage';

const MESSAGES = 1_500;
const AT_ONCE = 16;

/** As many messages as devices. */
export function singleSendsScenario(stage: () => CampaignStage): void {
  beforeEach(() => stage().simulator.configure({ latencyMs: 20 }));

  /** Users with one device each. */
  const recipientsOf = (appId: string): Promise<{ user: string; token: string }[]> =>
    stage().query(
      `SELECT user_id AS user, min(token) AS token FROM installations WHERE app_id = $1
       GROUP BY user_id HAVING count(*) = 1 ORDER BY user_id LIMIT $2`,
      [appId, MESSAGES],
    );

  /** Sends one message to each, so many at a time. */
  async function sendToEach(server: Api, users: readonly string[]): Promise<void> {
    const left = [...users];
    const sendNext = async (): Promise<void> => {
      for (let user = left.pop(); user !== undefined; user = left.pop())
        await server.call('POST', '/api/push/toUsers', { user, content: 'Your parcel is on its way' });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  }

  it('all arrive when the delivery worker is killed among them, and no more come twice than were in flight', async () => {
    const server = await Campaign.prepare(stage().postrider, 'parcels', 3 * MESSAGES);
    const recipients = await recipientsOf('parcels');
    expect(recipients).toHaveLength(MESSAGES);
    const sending = sendToEach(
      server,
      recipients.map(({ user }) => user),
    );
    await until(async () => (await stage().simulator.counts()).accepted > MESSAGES / 10 && (true as const));
    stage().postrider.system.kill('delivery-worker');
    await sending;
    await until(async () => {
      const [open] = await stage().query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM messages WHERE app_id = 'parcels' AND status <> 'done'`,
      );
      return open?.n === 0 && (true as const);
    });
    const taken = await stage().simulator.tokens();
    expect([...taken.keys()].toSorted()).toEqual(recipients.map(({ token }) => token).toSorted());
    const repeated = [...taken.values()].filter((times) => times > 1);
    expect(repeated.length).toBeLessThanOrEqual(IN_FLIGHT);
    expect(new Set(repeated)).toEqual(new Set(repeated.length > 0 ? [2] : []));
    expect(
      await stage().query(`SELECT state, count(*)::integer AS n FROM deliveries WHERE app_id = $1 GROUP BY state`, [
        'parcels',
      ]),
    ).toEqual([{ state: 'sent', n: MESSAGES }]);
  });
}
