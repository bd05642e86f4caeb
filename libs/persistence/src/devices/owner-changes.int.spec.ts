import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { type Addressee, OwnerChangesRepository } from './owner-changes.repository';

describe('devices that got another owner', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await createShop(database.dataSource, 0);
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

  const place = (messageId: string, userId: string, appId = 'shop'): Addressee => ({ appId, messageId, userId });

  it('do not get a message that names other users, each asked about for its own message and application', async () => {
    const toTwo = await addMessage(['ada', 'bob']);
    const toOne = await addMessage(['cay']);
    const toQuery = await addMessage(null);
    const notNamed = await new OwnerChangesRepository(database.dataSource).findNotNamed([
      place(toTwo, 'bob'),
      place(toTwo, 'cay'),
      place(toOne, 'cay'),
      place(toOne, 'ada'),
      place(toOne, 'ada', 'another'),
      place(toQuery, 'ada'),
      place(newId(), 'ada'),
      place(toTwo, 'ada'),
    ]);
    expect([...notNamed].sort()).toEqual([1, 3]);
  });
});
