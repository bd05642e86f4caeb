import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { type Addressee, OwnerChangesRepository } from './owner-changes.repository';

describe('devices that got another owner', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await createShop(database.dataSource, 3);
  });

  afterAll(() => database.drop());

  /** Writes a message that names these users, or one to a query (null), and returns its id. */
  async function addMessage(userIds: string[] | null): Promise<string> {
    const id = newId();
    const now = new Date();
    await database.dataSource.query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, user_ids, channel, content, count, resolve_ceiling,
         accepted_at, expires_at)
       VALUES ('shop', $1, $2, $3, $4, '{}', $5, 'public/default', '{}', 1, 0, $6, $6)`,
      [id, userIds ? 'users' : 'query', userIds === null, userIds ? 'transactional' : 'campaign', userIds, now],
    );
    return id;
  }

  const place = (messageId: string, userId: string, { appId = 'shop', deviceId = '1' } = {}): Addressee => ({
    ...{ appId, messageId, deviceId, userId },
  });
  const findNotMeant = async (asked: Addressee[]): Promise<number[]> =>
    [...(await new OwnerChangesRepository(database.dataSource).findNotMeant(asked))].sort();

  it('do not get a message that names other users, each asked about for its own message and application', async () => {
    const toTwo = await addMessage(['ada', 'bob']);
    const toOne = await addMessage(['cay']);
    const toQuery = await addMessage(null);
    const notMeant = await findNotMeant([
      place(toTwo, 'bob'),
      place(toTwo, 'cay'),
      place(toOne, 'cay'),
      place(toOne, 'ada'),
      place(toOne, 'ada', { appId: 'another' }),
      place(toQuery, 'ada'),
      place(newId(), 'ada'),
      place(toTwo, 'ada'),
    ]);
    expect(notMeant).toEqual([1, 3]);
  });

  it('do not get a message that names both owners and was sent while the former one had the device', async () => {
    const toBoth = await addMessage(['dan', 'eve']);
    const [theirs, former, another] = await rows<{ id: string }>(
      database.dataSource,
      `SELECT id FROM installations ORDER BY id`,
    );
    await database.dataSource.query(
      `INSERT INTO former_owners (app_id, device_id, user_id, since, until) VALUES
         ('shop', $1, 'dan', now() - interval '1 hour', now() + interval '1 minute'),
         ('shop', $2, 'dan', now() - interval '2 hours', now() - interval '1 hour')`,
      [theirs?.id, former?.id],
    );
    const notMeant = await findNotMeant([
      place(toBoth, 'eve', { deviceId: theirs?.id }),
      place(toBoth, 'eve', { deviceId: former?.id }),
      place(toBoth, 'dan', { deviceId: theirs?.id }),
      place(toBoth, 'eve', { deviceId: another?.id }),
    ]);
    expect(notMeant).toEqual([0]);
  });
});
