import { DAY_MS } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { dayOfMessage } from '../partitions/ledger-day';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { messagesToPublishStatement } from './messages-to-publish.statement';
import { MessagesRepository } from './messages.repository';

const NOW = new Date();
const YESTERDAY = new Date(NOW.getTime() - DAY_MS);

describe('messages that an edge publishes', () => {
  let throwAway: ThrowAwayDatabase;
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => throwAway.dataSource.query(text, values);

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await new PartitionsRepository(throwAway.dataSource).ensure(YESTERDAY, 2);
    await query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
  });
  afterAll(() => throwAway.drop());

  const acceptedAt = async (at: Date): Promise<string> => {
    const messageId = newId(at);
    await query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', '{}', 1, 0, $2, $2)`,
      [messageId, at],
    );
    return messageId;
  };
  const asked = (...messageIds: string[]): { appId: string; messageId: string; isKnown: boolean }[] =>
    messageIds.map((messageId) => ({ appId: 'shop', messageId, isKnown: false }));

  it('are read in the partition of their day', async () => {
    const messageId = await acceptedAt(NOW);
    const { text, values } = messagesToPublishStatement(asked(messageId)).toQuery();
    const plan = await query<Record<'QUERY PLAN', string>>(`EXPLAIN ${text}`, values);
    const days = plan.flatMap((line) => line['QUERY PLAN'].match(/ messages_\d{8}/) ?? []);
    expect([...new Set(days)]).toEqual([` messages${dayOfMessage(messageId).name}`]);
  });

  it('are found if they are of several days, or of one that is gone', async () => {
    const repository = new MessagesRepository(throwAway.dataSource);
    const ids = [await acceptedAt(YESTERDAY), await acceptedAt(NOW)];
    const gone = newId(new Date(0));
    const found = await repository.findToPublish(asked(...ids, gone));
    expect(found.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(await repository.findToPublish(asked(gone))).toEqual([]);
  });
});
