import { randomUUID } from 'node:crypto';
import {
  ContactsRepository,
  MessagesRepository,
  PacingRepository,
  WaitingDeliveriesRepository,
} from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, TestClock, type RenewableDatabase } from '@postrider/testing';
import { OpenConnectionPages } from './open-connection-pages.task';
import { PutOffQuiet } from './put-off-quiet.service';

describe('pages of connections in an application with frequency caps', () => {
  let throwAway: RenewableDatabase;
  const clock = new TestClock();
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => throwAway.dataSource.query(text, values);

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  beforeEach(async () => {
    await query(
      `INSERT INTO applications (app_id, name, identity_key_sealed, frequency_caps, contacts_since)
       VALUES ('shop', 'Shop', '', '[{ "messages": 1, "seconds": 3600 }]', $1)`,
      [clock.now()],
    );
  });
  afterEach(() => throwAway.renew());

  async function open(): Promise<void> {
    const { dataSource: database } = throwAway;
    const waiting = new WaitingDeliveriesRepository(database);
    const [messages, contacts] = [new MessagesRepository(database), new ContactsRepository(database)];
    const quiet = new PutOffQuiet(database, new PacingRepository(database));
    const task = new OpenConnectionPages(clock, waiting, messages, contacts, quiet, { sweepIntervalMs: 1_000 });
    await task.run();
  }

  async function addDevice(userId: string): Promise<string> {
    const [row] = await query<{ id: string }>(
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, realtime)
       VALUES ('shop', $1, $2, $3, true) RETURNING id::text`,
      [randomUUID(), userId, new Date(0)],
    );
    return row?.id ?? '';
  }

  /** A campaign, due, that these devices get over their connection. */
  async function send(devices: string[], content: object = {}): Promise<string> {
    const id = newId(clock.now());
    const [at, ends] = [clock.now(), new Date(clock.now().getTime() + 60_000)];
    await query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, resolved_at,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', $2, 1, 0, $3, $3, $4)`,
      [id, { content: 'Hello', ...content }, at, ends],
    );
    await query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, wake_at)
       VALUES ('shop', $1, $2, 'connection', 'campaign', $3, $4)`,
      [id, newId(), devices, at],
    );
    return id;
  }

  function deliveriesOf(messageId: string): Promise<object[]> {
    return query(`SELECT state, error_code FROM deliveries WHERE message_id = $1 ORDER BY device_id`, [messageId]);
  }

  it('are opened for those who may have the message, and skip the others with the reason', async () => {
    const [ann, bob] = [await addDevice('ann'), await addDevice('bob')];
    const first = await send([ann]);
    await open();
    const second = await send([ann, bob]);
    await open();
    expect(await deliveriesOf(first)).toEqual([{ state: 'pending', error_code: null }]);
    expect(await deliveriesOf(second)).toEqual([
      { state: 'skipped', error_code: 'frequency_capped' },
      { state: 'pending', error_code: null },
    ]);
    const third = await send([ann], { ignoreFrequencyCap: true });
    await open();
    expect(await deliveriesOf(third)).toEqual([{ state: 'pending', error_code: null }]);
  });

  it('do not count what was cancelled before the device had it', async () => {
    const ann = await addDevice('ann');
    const first = await send([ann]);
    await open();
    await query(`UPDATE deliveries SET state = 'cancelled', rank = 1 WHERE message_id = $1`, [first]);
    const second = await send([ann]);
    await open();
    expect(await deliveriesOf(second)).toEqual([{ state: 'pending', error_code: null }]);
  });

  it('wait while pages are in hand that were begun before anything was counted', async () => {
    const ann = await addDevice('ann');
    const [before, after] = [await send([]), await send([ann])];
    await query(`UPDATE pages SET vendor = 'fcm', state = 'running', device_ids = $2 WHERE message_id = $1`, [
      before,
      [ann],
    ]);
    await open();
    expect(await deliveriesOf(after)).toEqual([]);
    await query(`UPDATE pages SET state = 'finished', wake_at = NULL WHERE message_id = $1`, [before]);
    await open();
    expect(await deliveriesOf(after)).toEqual([{ state: 'pending', error_code: null }]);
  });
});
