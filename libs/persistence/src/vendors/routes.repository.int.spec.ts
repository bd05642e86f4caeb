import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { RoutesRepository } from './routes.repository';

describe('the pages that wait for a held route', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  it('are all released in full steps, although one of them is ended at that moment', async () => {
    const { dataSource } = throwAway;
    const [now, messageId] = [new Date(), newId()];
    const ids = [newId(), newId(), newId()].sort();
    for (const id of ids) {
      await dataSource.query(
        `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, fence, not_before)
         VALUES ('shop', $1, $2, 'fcm', 'campaign', '{1}', 1, $3)`,
        [messageId, id, new Date(now.getTime() + 60_000)],
      );
    }
    const released = await whileHolding(
      dataSource,
      (held) => held.query(`UPDATE pages SET state = 'finished' WHERE id = $1`, [ids[0]]),
      () => new RoutesRepository(dataSource).releasePages('shop', 'fcm', now, 2),
    );
    expect(released.map(({ pageId }) => pageId).sort()).toEqual(ids.slice(1));
  });
});
