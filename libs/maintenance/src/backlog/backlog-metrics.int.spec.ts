import { DAY_MS } from '@postrider/domain';
import { BacklogRepository, type Database, PartitionsRepository } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import {
  createShop,
  createThrowAwayDatabase,
  emptyTables,
  TestClock,
  type ThrowAwayDatabase,
} from '@postrider/testing';
import { Registry } from 'prom-client';
import { BacklogMetrics } from './backlog-metrics';

const NOW = new Date();

describe('what waits in the ledger, as monitors see it', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  const registry = new Registry();
  const shown = async (): Promise<string[]> =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('postrider_backlog'))
      .sort();

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 0);
    await new PartitionsRepository(database).ensure(NOW, 14);
    const clock = new TestClock(NOW.getTime());
    new BacklogMetrics(registry, new BacklogRepository(database), new PartitionsRepository(database), clock);
  });
  afterAll(() => throwAway.drop());
  beforeEach(() => emptyTables(database, 'messages', 'pages', 'fallbacks', 'webhook_events', 'webhooks'));

  const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);

  /** A message accepted so long ago. @param changes columns with their values */
  async function message(seconds: number, changes: Record<string, unknown> = {}): Promise<string> {
    const id = newId(NOW);
    const columns: Record<string, unknown> = { wake_at: NOW, ...changes };
    const names = Object.keys(columns);
    await database.query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         accepted_at, expires_at, ${names.join(', ')})
       VALUES ('shop', $1, 'users', false, 'campaign', '{}', 'public/default', '{}', 0, 0, $2, $3,
         ${names.map((_, place) => `$${place + 4}`).join(', ')})`,
      [id, ago(seconds), new Date(NOW.getTime() + DAY_MS), ...Object.values(columns)],
    );
    return id;
  }

  async function page(vendor: string, lane: string, seconds: number, changes: Record<string, unknown> = {}) {
    const columns: Record<string, unknown> = { state: 'waiting', wake_at: NOW, not_before: null, ...changes };
    await database.query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, created_at, state, wake_at, not_before)
       VALUES ('shop', $1, $2, $3, $4, '{1}', $5, $6, $7, $8)`,
      [newId(NOW), newId(NOW), vendor, lane, ago(seconds), columns.state, columns.wake_at, columns.not_before],
    );
  }

  it('is zero where nothing is due', async () => {
    await message(900, { send_at: new Date(NOW.getTime() + DAY_MS) });
    await message(900, { resolved_at: NOW });
    await message(900, { status: 'cancelled' });
    await page('fcm', 'campaign', 900, { state: 'running' });
    await page('fcm', 'campaign', 900, { not_before: new Date(NOW.getTime() + 1_000) });
    await page('fcm', 'campaign', 900, { state: 'finished', wake_at: null });
    expect(await shown()).toEqual([
      'postrider_backlog_oldest_seconds{work="audience",vendor=""} 0',
      'postrider_backlog_oldest_seconds{work="fallback",vendor=""} 0',
      'postrider_backlog_oldest_seconds{work="webhook",vendor=""} 0',
      'postrider_backlog{work="audience",vendor=""} 0',
      'postrider_backlog{work="fallback",vendor=""} 0',
      'postrider_backlog{work="webhook",vendor=""} 0',
    ]);
  });

  it('counts what is due, and says since when the oldest is', async () => {
    await message(300);
    await message(600, { send_at: ago(20) });
    await page('fcm', 'campaign', 60);
    await page('fcm', 'campaign', 90, { not_before: ago(70) });
    await page('apns', 'transactional', 5);
    await database.query(
      `INSERT INTO fallbacks (app_id, message_id, user_id, due_at, wake_at, created_at, updated_at)
       VALUES ('shop', $1, 'a', $2, $2, $2, $2), ('shop', $1, 'b', $3, $3, $2, $2)`,
      [newId(NOW), ago(40), new Date(NOW.getTime() + DAY_MS)],
    );
    await webhookEvents();
    expect(await shown()).toEqual([
      'postrider_backlog_oldest_seconds{work="audience",vendor=""} 300',
      'postrider_backlog_oldest_seconds{work="campaign",vendor="fcm"} 70',
      'postrider_backlog_oldest_seconds{work="fallback",vendor=""} 40',
      'postrider_backlog_oldest_seconds{work="transactional",vendor="apns"} 5',
      'postrider_backlog_oldest_seconds{work="webhook",vendor=""} 50',
      'postrider_backlog{work="audience",vendor=""} 2',
      'postrider_backlog{work="campaign",vendor="fcm"} 2',
      'postrider_backlog{work="fallback",vendor=""} 1',
      'postrider_backlog{work="transactional",vendor="apns"} 1',
      'postrider_backlog{work="webhook",vendor=""} 1',
    ]);
  });

  it('says for how many days there are partitions', async () => {
    const text = await registry.metrics();
    expect(text).toContain('postrider_partition_days_ahead{table="deliveries"} 14');
  });

  it('says how many webhooks fail, also if they are held and nothing is sent to them', async () => {
    const webhooks = [
      { lastSuccessAt: ago(60) },
      { failingSince: ago(3_600), heldUntil: new Date(NOW.getTime() + 600_000) },
      { failingSince: ago(60), lastSuccessAt: ago(90) },
      { failingSince: ago(60), isEnabled: false },
      {},
    ];
    for (const { failingSince, lastSuccessAt, heldUntil, isEnabled = true } of webhooks) {
      await database.query(
        `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, is_enabled, failing_since, last_success_at, held_until, created_at, updated_at)
         VALUES ('shop', $1, 'https://c', '{}', '', $2, $3, $4, $5, $6, $6)`,
        [newId(NOW), isEnabled, failingSince ?? null, lastSuccessAt ?? null, heldUntil ?? null, NOW],
      );
    }
    const text = await registry.metrics();
    expect(text).toContain('postrider_webhooks{state="working"} 1\n');
    expect(text).toContain('postrider_webhooks{state="failing"} 2\n');
  });

  it('shows nothing while PostgreSQL does not answer', async () => {
    await database.destroy();
    expect(await shown()).toEqual([]);
    expect(await registry.metrics()).not.toContain('postrider_webhooks{');
    expect(await registry.metrics()).not.toContain('postrider_partition_days_ahead{');
    await database.initialize();
  });

  /** Adds one event that was never tried, one that was, and one of a webhook that is held. */
  async function webhookEvents(): Promise<void> {
    const [works, held] = [newId(NOW), newId(NOW)];
    await database.query(
      `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, held_until, created_at, updated_at)
       VALUES ('shop', $1, 'https://a', '{}', '', NULL, $3, $3), ('shop', $2, 'https://b', '{}', '', $4, $3, $3)`,
      [works, held, NOW, new Date(NOW.getTime() + DAY_MS)],
    );
    await database.query(
      `INSERT INTO webhook_events (app_id, webhook_id, type, data, tries, created_at)
       VALUES ('shop', $1, 't', '{}', 0, $3), ('shop', $1, 't', '{}', 1, $3), ('shop', $2, 't', '{}', 0, $3)`,
      [works, held, ago(50)],
    );
  }
});
