import type { Channel, DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import {
  addDevice,
  createShop,
  countWaiting,
  createThrowAwayDatabase,
  emptyTables,
  type ThrowAwayDatabase,
  untilTrue,
} from '@postrider/testing';
import { ChannelsRepository } from '../channels/channels.repository';
import { type Database, rows } from '../database/executor';
import { ConnectionSessionsRepository } from '../presence/connection-sessions.repository';
import type { SentRegistration } from './registration';
import { RegistrationsRepository } from './registrations.repository';
import { NOTHING_SAID } from './testing/nothing-said';

const NEWS: Channel = 'public/news';

describe('a registration that names channels, while the connection of its device changes them', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let channels: ChannelsRepository;
  let device: { installationId: string; deviceId: DeviceId };

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    channels = new ChannelsRepository(database);
    await createShop(database, 0);
    await rows(database, `INSERT INTO users (app_id, user_id) VALUES ('shop', 'ada')`);
  });

  beforeEach(async () => {
    await emptyTables(database, 'installations');
    const installationId = await addDevice(database, { appId: 'shop', userId: 'ada' });
    const [row] = await rows<{ id: DeviceId }>(
      database,
      `SELECT id::text AS id FROM installations WHERE installation_id = $1`,
      [installationId],
    );
    device = { installationId, deviceId: row?.id ?? '' };
  });

  afterAll(() => throwAway.drop());

  const onlyIt = (): { users: string[]; installationIds: string[] } => ({
    users: [],
    installationIds: [device.installationId],
  });
  const saveSession = (...subscribed: Channel[]): Promise<void> =>
    new ConnectionSessionsRepository(database).save(
      [
        {
          appId: 'shop',
          deviceId: device.deviceId,
          userId: 'ada',
          subscriptions: {},
          expirySeconds: null,
          channels: subscribed,
        },
      ],
      new Date(),
    );

  const untilLocked = (): Promise<void> => untilTrue(async () => (await countWaiting(database)) > 0);

  /** Registers the device without channels, in a statement that has begun but not come to the device when `change` runs. */
  async function registerDuring(change: () => Promise<unknown>): Promise<string[] | undefined> {
    const userId = `new ${device.deviceId}`;
    const holder = database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`INSERT INTO users (app_id, user_id) VALUES ('shop', $1)`, [userId]);
    const registering = new RegistrationsRepository(database).registerBatch({
      appId: 'shop',
      registrations: [registrationOf('ada', device.installationId, []), registrationOf(userId, null, null)],
      at: new Date(),
    });
    // It makes the user of the second device first, and waits for the transaction that makes the same user.
    await untilLocked();
    await change();
    await holder.rollbackTransaction();
    await holder.release();
    return (await registering).get(device.installationId)?.channels;
  }

  it('does not bring back a channel that the device has left', async () => {
    await saveSession(NEWS);
    await channels.addMembers('shop', NEWS, onlyIt());
    expect(await registerDuring(() => channels.removeMembers('shop', NEWS, onlyIt()))).toEqual([]);
  });

  it('does not bring back a channel that only the session of the device named', async () => {
    await saveSession(NEWS);
    expect(
      await registerDuring(async () => {
        expect(await channels.removeMembers('shop', NEWS, onlyIt())).toBe(0);
      }),
    ).toEqual([]);
  });

  it('does not bring back a channel that the device leaves right after the registration has read its session', async () => {
    await saveSession(NEWS);
    const holder = database.createQueryRunner();
    await holder.startTransaction();
    const registration = registrationOf('ada', device.installationId, []);
    const registrations = new RegistrationsRepository(database);
    const registered = await registrations.registerAlone(holder.manager, 'shop', registration, new Date());
    expect(registered?.channels).toEqual([NEWS]);
    const leaving = channels.removeMembers('shop', NEWS, onlyIt());
    await untilLocked();
    await holder.commitTransaction();
    await holder.release();
    expect(await leaving).toBe(1);
    expect(await channels.countMembers('shop', NEWS)).toBe(0);
  });

  it('does not take the device out of a channel that it has joined', async () => {
    const joined = await registerDuring(async () => {
      await saveSession(NEWS);
      await channels.addMembers('shop', NEWS, onlyIt());
    });
    expect(joined).toEqual([NEWS]);
  });

  it('does not take the device out of a channel that it subscribes to again right after the registration has read its session', async () => {
    await channels.addMembers('shop', NEWS, onlyIt());
    const holder = database.createQueryRunner();
    await holder.startTransaction();
    const registration = registrationOf('ada', device.installationId, []);
    const registrations = new RegistrationsRepository(database);
    const registered = await registrations.registerAlone(holder.manager, 'shop', registration, new Date());
    expect(registered?.channels).toEqual([]);
    await saveSession(NEWS);
    const joining = channels.addMembers('shop', NEWS, onlyIt());
    await Promise.race([untilLocked(), joining]);
    await holder.commitTransaction();
    await holder.release();
    expect(await joining).toBe(1);
    const [{ channels: ofDevice } = {}] = await rows<{ channels: Channel[] }>(
      database,
      `SELECT channels FROM installations WHERE installation_id = $1`,
      [device.installationId],
    );
    expect(ofDevice).toEqual([NEWS]);
  });
});

/** @param installationId null: a new device */
function registrationOf(userId: string, installationId: string | null, channels: Channel[] | null): SentRegistration {
  return {
    installationId: installationId ?? newId(),
    isNamed: installationId !== null,
    sent: {
      ...NOTHING_SAID,
      userId,
      channels,
      pushType: null,
      token: null,
      deviceType: 'android',
      registration: {},
      realtime: true,
      protected: false,
      isProved: true,
    },
  };
}
