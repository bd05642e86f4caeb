import { join } from 'node:path';
import { createDataSource, rows } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { type ThrowAwayDatabase, until, untilTrue } from '@postrider/testing';
import {
  describeWithSystemPostgres,
  startSystemPostgres,
  type SystemPostgres,
} from '@postrider/tools/embedded/testing/system-postgres';
import { temporaryFolder } from '@postrider/tools/embedded/temporary-folder';
import { migrateDatabase } from '@postrider/tools/services/migrate-database';
import { Api } from '@postrider/tools/start/api';
import { Campaign, seedReachable } from './support/campaign';
import { untilDone } from './support/message-status';
import { type Postrider, startPostrider } from './support/postrider';
import { Simulator } from '@postrider/tools/start/simulator';

const DEVICES = 3_000;
/** Users who get one message each, of their own. */
const USERS = 2_000;

describeWithSystemPostgres('a backup that is made while messages are sent', () => {
  let server: SystemPostgres;
  const opened: ThrowAwayDatabase[] = [];

  beforeAll(async () => {
    server = await startSystemPostgres();
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.drop()));
    await server.stop();
  });

  async function open(url: string): Promise<ThrowAwayDatabase> {
    const dataSource = await createDataSource(new Secret(url), 2).initialize();
    const database = { url, dataSource, drop: () => dataSource.destroy() };
    opened.push(database);
    return database;
  }

  /** Returns the tokens of devices for which a vendor's acceptance is recorded. */
  async function recordedTokens({ dataSource }: ThrowAwayDatabase): Promise<Set<string>> {
    const found = await rows<{ token: string }>(
      dataSource,
      `SELECT i.token
       FROM (
         SELECT app_id, device_id FROM deliveries WHERE state = 'sent'
         UNION ALL SELECT app_id, unnest(device_ids) FROM delivery_packs
       ) d
       JOIN installations i ON i.app_id = d.app_id AND i.id = d.device_id`,
    );
    return new Set(found.map(({ token }) => token));
  }

  /** Sends to one user after the other. @returns the users whose message is accepted, growing, and what ends it */
  function sendSingles(api: Api): { accepted: string[]; end(): Promise<void> } {
    const accepted: string[] = [];
    let isOver = false;
    const running = (async () => {
      for (let number = 1; number <= USERS && !isOver; number++) {
        const user = `user-${number}`;
        const sent = api.call('POST', '/api/push/toUsers', { user, content: 'Hello' });
        if (await sent.then(() => true, () => false)) accepted.push(user); // prettier-ignore
      }
    })();
    return {
      accepted,
      end: async () => {
        isOver = true;
        await running;
      },
    };
  }

  async function start(database: ThrowAwayDatabase): Promise<{ postrider: Postrider; simulator: Simulator }> {
    const postrider = await startPostrider({}, { database, hasNoEdge: true });
    const simulator = new Simulator(postrider.system.simulatorUrl);
    await simulator.configure({ latencyMs: 50, countedTokens: 100_000 });
    return { postrider, simulator };
  }

  it('restores what was accepted before, sends the rest, and nothing that was recorded as sent', async () => {
    const url = await server.createDatabase('original');
    await migrateDatabase(url);
    const first = await start(await open(url));
    const { server: api, serverToken } = await first.postrider.createApplication('campaign');
    await seedReachable(url, 'campaign', DEVICES);
    const { server: singlesApi } = await first.postrider.createApplication('singles');
    await seedReachable(url, 'singles', USERS);
    const singles = sendSingles(singlesApi);
    const campaign = await Campaign.start('campaign', api);
    await until(async () => (await first.simulator.counts()).accepted > DEVICES / 5 && (true as const));

    const acceptedBefore = [...singles.accepted];
    const file = join(await temporaryFolder('backup'), 'postrider.dump');
    await server.dump(url, file);
    await singles.end();
    await first.postrider.stop();

    const restored = await open(await server.createDatabase('restored'));
    await server.restore(file, restored.url);
    const recorded = await recordedTokens(restored);
    expect(recorded.size).toBeLessThan(DEVICES + USERS);
    const messages = await rows<{ user: string | null }>(
      restored.dataSource,
      `SELECT user_ids[1] AS "user" FROM messages`,
    );
    const users = messages.flatMap(({ user }) => (user === null ? [] : [user]));
    expect(acceptedBefore.filter((user) => !users.includes(user))).toEqual([]);

    // An empty Redis, and a vendor that knows nothing of what was sent before.
    const second = await start(restored);
    for (const app of ['campaign', 'singles']) {
      const { fcm } = second.postrider.system.simulator;
      await second.postrider.admin.call('PUT', `/api/admin/apps/${app}/vendors/fcm`, fcm);
    }
    const campaigns = new Api(second.postrider.system.gatewayUrl, serverToken);
    const status = await untilDone(campaigns, 'campaigns', campaign.id);
    expect(status).toMatchObject({ totals: { sent: DEVICES, failed: 0, pending: 0 } });
    const unfinished = `SELECT FROM messages WHERE status = 'accepted' LIMIT 1`;
    await untilTrue(async () => (await rows(restored.dataSource, unfinished)).length === 0);

    const sentNow = await second.simulator.tokens();
    expect([...sentNow.keys()].filter((token) => recorded.has(token))).toEqual([]);
    expect([...sentNow.values()].filter((times) => times !== 1)).toEqual([]);
    const meant = await rows<{ token: string }>(
      restored.dataSource,
      `SELECT token FROM installations WHERE app_id = 'campaign' OR user_id = ANY ($1)`,
      [users],
    );
    expect(meant.filter(({ token }) => !recorded.has(token) && !sentNow.has(token))).toEqual([]);
    await second.postrider.stop();
  });
});
