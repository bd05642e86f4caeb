import { deliveryStateRank, type DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, locksBefore, type ThrowAwayDatabase } from '@postrider/testing';
import { dayOfMessage } from '../partitions/ledger-day';
import { type Publish, WaitingDeliveriesRepository } from './waiting-deliveries.repository';

const now = new Date();

describe('deliveries of one message that an edge records while the wait for them ends', () => {
  let throwAway: ThrowAwayDatabase;
  let waiting: WaitingDeliveriesRepository;
  const messageId = newId();

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    const { dataSource } = throwAway;
    waiting = new WaitingDeliveriesRepository(dataSource);
    await createShop(dataSource, 0);
    await dataSource.query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, in_inbox)
       SELECT 'shop', $1, n, 'pending', $2, 'connection', true FROM generate_series(1, 20000) n`,
      [messageId, deliveryStateRank('pending')],
    );
    await dataSource.query('ANALYZE deliveries');
  });
  afterAll(() => throwAway.drop());

  const failure = { state: 'failed', errorCode: 'too_large', reason: 'It is too large' } as const;

  // As texts the numbers of the devices would be in another order.
  it.each<[string, [DeviceId, DeviceId], (publishes: Publish[]) => Promise<unknown>]>([
    ['sent', ['9', '10'], (publishes) => waiting.recordSent(publishes, now)],
    [
      'failed',
      ['99', '100'],
      (publishes) =>
        waiting.fail(
          publishes.map((one) => ({ ...one, ...failure })),
          now,
        ),
    ],
    ['acknowledged', ['999', '1000'], (publishes) => waiting.endKept(publishes)],
    [
      'published in a language',
      ['9999', '10000'],
      (publishes) => waiting.nameLanguages(publishes.map((one) => ({ ...one, language: 'fa' }))),
    ],
  ])('are locked in the order of their devices when they are recorded as %s', async (_what, devices, act) => {
    const place = (deviceId: DeviceId): string =>
      `deliveries WHERE message_id = '${messageId}' AND device_id = ${deviceId}`;
    const [earlier, later] = devices;
    const publishes = [later, earlier].map((deviceId) => ({ appId: 'shop', messageId, deviceId }));
    const places = { earlier: place(earlier), later: place(later) };
    expect(await locksBefore(throwAway.dataSource, places, () => act(publishes))).toBe(true);
  });

  it('are looked up by their keys, and not among all deliveries of their day', async () => {
    const { dataSource } = throwAway;
    const publishes = Array.from({ length: 500 }, (_, n) => ({
      appId: 'shop',
      messageId,
      deviceId: String(11_000 + n),
    }));
    const run = jest.spyOn(dataSource, 'query');
    await waiting.recordSent(publishes, now);
    const [statement, values] = run.mock.calls[0] as unknown as [{ text: string }, unknown[]];
    run.mockRestore();
    const plan = await dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${statement.text}`, values);
    const scans = plan.flatMap((line) => /Scan (?:using \w+ )?on (\w+)/.exec(line['QUERY PLAN']) ?? []);
    expect(scans[1]).toBe('json_to_recordset');
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(
      new RegExp(`Index Scan using \\w+ on deliveries${dayOfMessage(messageId).name} d`),
    );
  });
});
