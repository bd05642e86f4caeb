import { newId } from '@postrider/platform';
import {
  countWaiting,
  createShop,
  createThrowAwayDatabase,
  type ThrowAwayDatabase,
  untilTrue,
  whileHolding,
} from '@postrider/testing';
import type { QueryRunner } from 'typeorm';
import { type Database, rows } from '../database/executor';
import { PacingRepository } from './pacing.repository';

const DAY_MS = 86_400_000;

/**
 * Of two transactions that wait for each other, PostgreSQL ends the one that has waited longer; if the machine stood still in between,
 * the other one.
 */
const unlessEnded = (error: unknown): void => {
  if ((error as { code?: string }).code !== '40P01') throw error;
};

describe('limits that change while pages are written', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  const addMessage = (on: Database, messageId: string): Promise<unknown> =>
    rows(
      on,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         accepted_at, expires_at, wake_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 2, 2, now(), now() + interval '1 hour', now())`,
      [messageId],
    );

  const addPage = (on: Database, messageId: string, attempt = 1): Promise<unknown> =>
    rows(
      on,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, attempt, wake_at)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', '{1}', $3, now())`,
      [messageId, newId(), attempt],
    );

  it.each<[string, (held: Database, messageId: string) => Promise<unknown>]>([
    [
      'a part of an audience that is being resolved',
      async (held, messageId) => {
        await held.query(`UPDATE messages SET resolved_through = 1 WHERE id = $1`, [messageId]);
        await addPage(held, messageId);
      },
    ],
    [
      'a page that is being settled, and its retry page',
      async (held, messageId) => {
        await held.query(`UPDATE pages SET not_before = now() WHERE message_id = $1`, [messageId]);
        await addPage(held, messageId, 2);
      },
    ],
  ])('are those of %s', async (_what, write) => {
    const [database, messageId] = [throwAway.dataSource, newId()];
    await addMessage(database, messageId);
    await addPage(database, messageId);
    await whileHolding(
      database,
      (held) => write(held, messageId),
      () => new PacingRepository(database).steerOpenPages('shop'),
    );
    const pages = await rows(database, `SELECT is_steered FROM pages WHERE message_id = $1`, [messageId]);
    expect(pages).toEqual([{ is_steered: true }, { is_steered: true }]);
  });

  it('are those of all pages although somebody else writes their messages in another order', async () => {
    const database = throwAway.dataSource;
    const ids = [newId(), newId()].sort();
    for (const id of ids) {
      await addMessage(database, id);
      await addPage(database, id);
    }
    const write = (runner: QueryRunner, id: string | undefined): Promise<unknown> =>
      runner.query(`UPDATE messages SET wake_at = now() + interval '30 seconds' WHERE id = $1`, [id]);
    const other = database.createQueryRunner();
    await other.startTransaction();
    await write(other, ids[1]);
    const steering = new PacingRepository(database).steerOpenPages('shop');
    await untilTrue(async () => (await countWaiting(database)) === 1);
    await write(other, ids[0]).catch(unlessEnded);
    await other.commitTransaction();
    await other.release();
    await steering;
    const pages = await rows(database, `SELECT is_steered FROM pages WHERE message_id = ANY ($1)`, [ids]);
    expect(pages).toEqual([{ is_steered: true }, { is_steered: true }]);
  });

  it('are those of all pages although somebody else writes them in another order', async () => {
    const [database, messageId] = [throwAway.dataSource, newId()];
    for (let page = 0; page < 3; page++) await addPage(database, messageId);
    const found = await rows<{ id: string }>(database, `SELECT id FROM pages WHERE message_id = $1 ORDER BY id`, [
      messageId,
    ]);
    const ids = found.map(({ id }) => id);
    const write = (runner: QueryRunner, some: string[]): Promise<unknown> =>
      runner.query(`UPDATE pages SET wake_at = now() WHERE message_id = $1 AND id = ANY ($2)`, [messageId, some]);
    const other = database.createQueryRunner();
    await other.startTransaction();
    await write(other, ids.slice(1, 2));
    const steering = new PacingRepository(database).steerOpenPages('shop');
    await untilTrue(async () => (await countWaiting(database)) === 1);
    await write(other, [...ids.slice(0, 1), ...ids.slice(2)]).catch(unlessEnded);
    await other.commitTransaction();
    await other.release();
    await steering;
    const pages = await rows(database, `SELECT is_steered FROM pages WHERE message_id = $1`, [messageId]);
    expect(pages).toEqual([{ is_steered: true }, { is_steered: true }, { is_steered: true }]);
  });
});

describe('the pace of a message', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  it('is not forgotten when it is old, and in use again at that moment', async () => {
    const database = throwAway.dataSource;
    const [message, now] = [{ appId: 'shop', messageId: newId() }, new Date()];
    const pacing = new PacingRepository(database);
    await pacing.lockPaces(database, message, new Date(now.getTime() - 2 * DAY_MS), false);
    const deleted = await whileHolding(
      database,
      async (held) => {
        await pacing.lockPaces(held, message, now, false);
        const pace = { nextAt: now.getTime(), passedUntil: now.getTime() };
        await pacing.savePaces(held, message, { message: pace, application: null });
      },
      () => pacing.deleteOld(new Date(now.getTime() - DAY_MS), 10),
    );
    expect(deleted).toBe(0);
    expect(await rows(database, `SELECT next_at FROM paces`)).toEqual([{ next_at: now }]);
  });
});
