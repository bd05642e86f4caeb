import {
  addDevice,
  createShop,
  createThrowAwayDatabase,
  type ThrowAwayDatabase,
  whileHolding,
} from '@postrider/testing';
import { type Database, inTransaction, rows } from '../database/executor';
import { DevicesRepository } from '../devices/devices.repository';
import { NOTHING_SAID } from '../devices/testing/nothing-said';
import { TagsRepository } from '../tags/tags.repository';
import type { DeviceToImport } from './imported-devices.statement';
import { ImportsRepository } from './imports.repository';

const TIME = new Date('2026-05-01T09:00:00Z');

describe('the import of a device without a user in the file', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 0);
  });
  afterAll(() => throwAway.drop());

  it('keeps the tags that the user of the device gets while it waits for the device', async () => {
    await rows(database, `INSERT INTO users (app_id, user_id) VALUES ('shop', 'ada'), ('shop', 'guest')`);
    const installationId = await addDevice(database, { appId: 'shop', userId: 'ada' });
    await rows(database, `UPDATE installations SET token_registered_at = 'epoch' WHERE installation_id = $1`, [
      installationId,
    ]);
    const [device] = await rows<{ token: string }>(database, `SELECT token FROM installations`);
    const tags = new TagsRepository();
    const done = await whileHolding(
      database,
      async (held) => {
        const now = await tags.add(held, 'shop', 'ada', { tags: ['vip'], values: {} });
        if (now) await tags.copyToDevices(held, { appId: 'shop', userId: 'ada' }, now);
      },
      () =>
        inTransaction(database, (executor) =>
          new ImportsRepository(new DevicesRepository(database)).importDevices(
            executor,
            { appId: 'shop', file: null, now: new Date(), owners: null },
            [guestWith(device?.token ?? '')],
          ),
        ),
    );
    expect([...done.values()]).toEqual(['updated']);
    const [imported] = await rows(database, `SELECT user_id, locale, tags FROM installations`);
    expect(imported).toEqual({ user_id: 'ada', locale: 'fa', tags: ['vip'] });
  });
});

function guestWith(token: string): DeviceToImport {
  return {
    ...{
      line: 1,
      installationId: crypto.randomUUID(),
      userId: 'guest',
      isGuest: true,
      pushType: 'fcm',
      token,
      at: TIME,
    },
    ...NOTHING_SAID,
    ...{ registration: {}, locale: 'fa' },
  };
}
