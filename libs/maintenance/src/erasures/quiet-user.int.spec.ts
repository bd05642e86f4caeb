import { randomUUID } from 'node:crypto';
import type { DeviceId } from '@postrider/domain';
import {
  type Database,
  ErasedUsersRepository,
  ErasuresRepository,
  OwnerChangesRepository,
  PagesRepository,
  rows,
} from '@postrider/persistence';
import { newId } from '@postrider/platform';
import {
  countWaiting,
  createShop,
  createThrowAwayDatabase,
  TestClock,
  type ThrowAwayDatabase,
  untilTrue,
} from '@postrider/testing';
import type { FormerOwner } from '../connections/former-owner.service';
import { QuietUser } from './quiet-user.service';

const HOUR_MS = 3_600_000;

describe('an erasure', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  const clock = new TestClock();

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 1);
  });
  afterAll(() => throwAway.drop());

  it('waits for a page that is being claimed when the device is removed', async () => {
    const [device] = await rows<{ id: DeviceId }>(database, `SELECT id::text AS id FROM installations`);
    const deviceIds = [device?.id ?? ''];
    const page = { appId: 'shop', messageId: newId(clock.now()), pageId: newId() };
    const expiresAt = new Date(clock.now().getTime() + HOUR_MS);
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, resolved_at,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{"content": "hello"}', 1, 0, $2, $2, $3)`,
      [page.messageId, clock.now(), expiresAt],
    );
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, wake_at)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', $3, $4)`,
      [page.messageId, page.pageId, deviceIds, clock.now()],
    );
    const erasure = { appId: 'shop', userId: 'user-1', erasureId: randomUUID() };
    const erasures = new ErasuresRepository(database);
    const quiet = new QuietUser(clock, erasures, new OwnerChangesRepository(database), {} as FormerOwner);
    const events: string[] = [];

    const holder = database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM pages WHERE id = $1 FOR UPDATE`, [page.pageId]);
    const claim = { leasedBy: 'worker', now: clock.now(), leaseUntil: expiresAt };
    const claiming = new PagesRepository(database).claim(page, claim);
    await untilTrue(async () => (await countWaiting(database)) === 1);
    await erasures.begin(erasure);
    await new ErasedUsersRepository(database).removeDevices(erasure, 10);
    const looks = jest.spyOn(OwnerChangesRepository.prototype, 'isBeingClaimed');
    const ended = quiet.sendingEnded(erasure, deviceIds).then(() => events.push('erased'));
    await untilTrue(() => events.length > 0 || looks.mock.calls.length > 1);
    await holder.commitTransaction();
    await holder.release();
    const claimed = await claiming;
    expect(claimed?.devices.map(({ token }) => token !== null)).toEqual([true]);
    events.push('sent');
    await rows(database, `UPDATE pages SET state = 'finished', wake_at = NULL`);
    await ended;
    expect(events).toEqual(['sent', 'erased']);
  });
});
