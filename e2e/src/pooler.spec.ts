import { rows } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { describeWithPgBouncer, startPgBouncer } from '@postrider/tools/embedded/testing/pgbouncer';
import { Api } from '@postrider/tools/start/api';
import { Campaign, seedReachable } from './support/campaign';
import { type Postrider, startPostrider } from './support/postrider';
import { Simulator } from '@postrider/tools/start/simulator';

const USERS = 300;
/** Sends to one user each, in this many calls at a time at each gateway. */
const SENDS = 2_000;
const AT_A_TIME = 15;

describeWithPgBouncer('two of every process on PgBouncer in transaction mode', () => {
  let postrider: Postrider;
  let simulator: Simulator;

  beforeAll(async () => {
    const before = (url: string): ReturnType<typeof startPgBouncer> => startPgBouncer(url, 'transaction', 12);
    postrider = await startPostrider({}, { isDouble: true, hasPromo: true, before });
    simulator = new Simulator(postrider.system.simulatorUrl);
    await simulator.configure({ countedTokens: 100_000 });
  });

  afterAll(() => postrider.stop());

  const ask = async <Row>(statement: string): Promise<Row[]> => rows<Row>(postrider.database.dataSource, statement);

  it('sends every message that either gateway took, once', async () => {
    const { server, serverToken } = await postrider.createApplication('pooled');
    await seedReachable(postrider.database.url, 'pooled', USERS);
    const users = await ask<{ user: string; tokens: string[] }>(
      `SELECT user_id AS "user", array_agg(token) AS tokens FROM installations GROUP BY 1`,
    );
    const gateways = [server, new Api(postrider.system.secondGatewayUrl ?? '', serverToken)];
    const expected = new Map<string, number>();
    const expectAt = (tokens: readonly string[]): void => {
      for (const token of tokens) expected.set(token, (expected.get(token) ?? 0) + 1);
    };
    let next = 0;
    const send = async (gateway: Api): Promise<void> => {
      while (next < SENDS) {
        const { user, tokens } = users[next++ % users.length] as (typeof users)[number];
        const { body } = await gateway.call('POST', '/api/push/toUsers', { user, content: 'Hello' });
        expect(body).toEqual({ count: tokens.length });
        expectAt(tokens);
      }
    };
    await Promise.all(gateways.flatMap((gateway) => Array.from({ length: AT_A_TIME }, () => send(gateway))));
    const campaign = await Campaign.start('pooled', server);
    expectAt(users.flatMap(({ tokens }) => tokens));
    expect(await campaign.untilDone()).toMatchObject({ totals: { sent: USERS, failed: 0 } });
    await untilTrue(async () => (await ask(`SELECT FROM pages WHERE state <> 'finished' LIMIT 1`)).length === 0);
    const times = await simulator.tokens();
    const differing = [...expected.keys()].filter((token) => times.get(token) !== expected.get(token));
    // If a device got another number of messages, these pages show why: claimed again, tried again or not answered.
    const again = `SELECT attempt, fence, is_unanswered, created_at, finished_at FROM pages WHERE fence > 1 OR attempt > 1`;
    expect({ differing, pages: differing.length === 0 ? [] : await ask(again) }).toEqual({ differing: [], pages: [] });
    expect(times.size).toBe(expected.size);
    expect(await ask(`SELECT FROM deliveries WHERE state <> 'sent' LIMIT 1`)).toEqual([]);
  });
});
