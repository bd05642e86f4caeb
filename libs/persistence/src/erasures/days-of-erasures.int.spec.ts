import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { dayOfMessage } from '../partitions/ledger-day';
import { type ErasedUser, ErasedUsersRepository } from './erased-users.repository';

const HOUR_MS = 3_600_000;

/** Which of the partitions that hold what devices did are about to be changed. */
const CHANGED = `SELECT DISTINCT c.relname AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND l.mode = 'RowExclusiveLock'
    AND c.relkind = 'r'
    AND c.relname ~ '^(deliveries|pages|delivery_clicks|conversions|inbox_marks)_[0-9]+$' ORDER BY 1`;

describe('an erasure', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let deviceId: DeviceId;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 1);
    const [device] = await rows<{ id: DeviceId }>(database, `SELECT id::text AS id FROM installations`);
    deviceId = device?.id ?? '';
  });
  afterAll(() => throwAway.drop());

  const user: ErasedUser = { appId: 'shop', userId: 'user-1', erasureId: newId(), pattern: 'user-1' };

  it.each<[string, (users: ErasedUsersRepository) => Promise<unknown>]>([
    ['what their devices got', (users) => users.eraseDeliveriesOf(user, [deviceId], 10)],
    ['messages for them alone', (users) => users.eraseFromMessages(user, { now: new Date(), limit: 10 })],
  ])('opens the days of the messages alone when it erases %s', async (_, erase) => {
    const [messageId, at] = [newId(), new Date()];
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, user_ids, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         resolved_at, accepted_at, expires_at)
       VALUES ('shop', $1, 'users', '{user-1}', false, 'transactional', '{}', 'public/default', '{}', 1, 0, $2, $2, $3)`,
      [messageId, at, new Date(at.getTime() + HOUR_MS)],
    );
    await rows(
      database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, attempt, created_at, updated_at)
       VALUES ('shop', $1, $2, 'sent', 2, 1, $3, $3)`,
      [messageId, deviceId, at],
    );
    const mark = [deviceId, messageId];
    await rows(database, `INSERT INTO inbox_marks (app_id, device_id, message_id) VALUES ('shop', $1, $2)`, mark);
    let changed: { name: string }[] = [];
    await whileHolding(
      database,
      // The erasure waits for this row in its middle.
      (held) => held.query(`SELECT FROM inbox_marks WHERE message_id = $1 FOR UPDATE`, [messageId]),
      () => erase(new ErasedUsersRepository(database)),
      1,
      async () => void (changed = await rows(database, CHANGED)),
    );
    const { name: day } = dayOfMessage(messageId);
    const tables = ['conversions', 'deliveries', 'delivery_clicks', 'inbox_marks', 'pages'];
    expect(changed.map(({ name }) => name)).toEqual(tables.map((table) => `${table}${day}`));
    expect(await rows(database, `SELECT FROM deliveries WHERE device_id = $1`, [deviceId])).toEqual([]);
    expect(await rows(database, `SELECT FROM inbox_marks`)).toEqual([]);
  });
});
