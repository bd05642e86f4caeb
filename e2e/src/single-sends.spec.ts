import { Client } from 'pg';
import { until } from '@postrider/testing';
import type { Api } from '@postrider/tools/start/api';
import { Campaign } from './support/campaign';
import { type Postrider, startPostrider } from './support/postrider';
import { Simulator } from './support/simulator';

const MESSAGES = 3_000;
const AT_ONCE = 16;
/** Requests in flight of the one delivery worker: as many messages may come twice when it is killed, never more. */
const IN_FLIGHT = 100;

describe('thousands of messages to one user each', () => {
  let postrider: Postrider;
  let simulator: Simulator;

  beforeAll(async () => {
    postrider = await startPostrider({ DELIVERY_CONCURRENCY: String(IN_FLIGHT) });
    simulator = new Simulator(postrider.system.simulatorUrl);
    await simulator.configure({ latencyMs: 20, countedTokens: 100_000 });
  });

  afterAll(() => postrider.stop());

  async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const client = new Client({ connectionString: postrider.database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Users with one device each. */
  const recipientsOf = (appId: string): Promise<{ user: string; token: string }[]> =>
    query(
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
    const server = await Campaign.prepare(postrider, 'parcels', 3 * MESSAGES);
    const recipients = await recipientsOf('parcels');
    expect(recipients).toHaveLength(MESSAGES);
    const sending = sendToEach(
      server,
      recipients.map(({ user }) => user),
    );
    await until(async () => (await simulator.counts()).accepted > MESSAGES / 10 && (true as const));
    postrider.system.kill('delivery-worker');
    await sending;
    await until(async () => {
      const [open] = await query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM messages WHERE app_id = 'parcels' AND status <> 'done'`,
        [],
      );
      return open?.n === 0 && (true as const);
    });
    const taken = await simulator.tokens();
    expect([...taken.keys()].toSorted()).toEqual(recipients.map(({ token }) => token).toSorted());
    const repeated = [...taken.values()].filter((times) => times > 1);
    expect(repeated.length).toBeLessThanOrEqual(IN_FLIGHT);
    expect(new Set(repeated)).toEqual(new Set(repeated.length > 0 ? [2] : []));
    expect(
      await query(`SELECT state, count(*)::integer AS n FROM deliveries WHERE app_id = $1 GROUP BY state`, ['parcels']),
    ).toEqual([{ state: 'sent', n: MESSAGES }]);
  });
});
