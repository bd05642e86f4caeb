import { NO_DEVICE, type DeviceId, DELIVERY_STATES, type DeliveryState, deliveryStateRank } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { Database } from '../database/executor';
import { DeliveryReportsRepository } from './delivery-reports.repository';

/** What the list is compared with: every device that has a record or is on an open page, one by one. */
interface Known {
  deviceId: DeviceId;
  state: DeliveryState;
}

const DEVICES = 4_000;
const RECORDED: readonly DeliveryState[] = [...DELIVERY_STATES, 'sent', 'sent', 'delivered'];

const WAITING = { accepted: 'pending', cancelled: 'cancelled' } as const;

const below = (limit: number): number => Math.floor(Math.random() * limit);

describe('the deliveries of a message under way', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await database.query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
  });
  afterAll(() => throwAway.drop());

  /**
   * Makes a message whose pages are at every stage, in random order of their devices, with more pages than the first
   * try reads.
   */
  const makeMessage = async (status: 'accepted' | 'cancelled'): Promise<{ id: string; known: Known[] }> => {
    const id = newId();
    await database.query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, status, count, resolve_ceiling,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', $2, 0, 0, now(), now())`,
      [id, status],
    );
    const waiting = WAITING[status];
    const known: Known[] = [];
    const pages: DeviceId[][] = Array.from({ length: 90 }, () => []);
    for (let number = 1; number <= DEVICES; number++) {
      const deviceId = String(number);
      const isBegun = number % 3 !== 0;
      const state = isBegun ? drawState() : null;
      if (state !== null) await record(id, deviceId, state);
      known.push({ deviceId, state: shownAs(state, waiting) });
      if (isOnPage(state)) pages[(isBegun ? 0 : 45) + placeOf(number)]?.push(deviceId);
    }
    const written = [...pages.entries()].filter(([, devices]) => devices.length > 0);
    for (const [n, devices] of written) await writePage(id, devices, n < 45);
    return { id, known };
  };

  const shownAs = (state: DeliveryState | null, waiting: DeliveryState): DeliveryState =>
    state === null || state === 'pending' ? waiting : state;

  /** Pages overlap: each holds a range of devices, and some of its neighbours' devices. */
  const placeOf = (number: number): number => Math.min(44, Math.floor(number / 90) + below(3));

  /** On a claimed page half of the devices have a record. */
  const drawState = (): DeliveryState | null =>
    Math.random() < 0.5 ? (RECORDED[below(RECORDED.length)] ?? 'sent') : null;

  /** Half of the recorded devices are still on a page; devices without a record always are. */
  const isOnPage = (state: DeliveryState | null): boolean => state === null || Math.random() < 0.5;

  const record = (id: string, deviceId: DeviceId, state: DeliveryState): Promise<unknown> =>
    database.query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank) VALUES ('shop', $1, $2, $3, $4)`,
      [id, deviceId, state, deliveryStateRank(state)],
    );

  const writePage = (id: string, devices: DeviceId[], isBegun: boolean): Promise<unknown> =>
    database.query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence)
       VALUES ('shop', $1, gen_random_uuid(), 'fcm', 'campaign', $2, $3, $4)`,
      [id, devices, isBegun ? 'running' : 'waiting', isBegun ? 1 : 0],
    );

  const readAll = async (id: string, state: DeliveryState | null, limit: number): Promise<Known[]> => {
    const read: Known[] = [];
    for (;;) {
      const afterDeviceId = read.at(-1)?.deviceId ?? NO_DEVICE;
      const part = await new DeliveryReportsRepository(database).list(database, 'shop', id, {
        state,
        afterDeviceId,
        limit,
      });
      read.push(...part.map(({ deviceId, state: found }) => ({ deviceId, state: found })));
      if (part.length < limit) return read;
    }
  };

  it.each(['accepted', 'cancelled'] as const)('are each listed once, in one order: %s', async (status) => {
    const { id, known } = await makeMessage(status);
    expect(await readAll(id, null, 50)).toEqual(known);
    expect(await readAll(id, null, 7_000)).toEqual(known);
    for (const state of DELIVERY_STATES) {
      expect(await readAll(id, state, 1 + below(60))).toEqual(known.filter((one) => one.state === state));
    }
    expect(
      await new DeliveryReportsRepository(database).list(database, 'other', id, {
        state: null,
        afterDeviceId: '0',
        limit: 50,
      }),
    ).toEqual([]);
  });

  it('are listed by the language that they were sent in, whatever waits', async () => {
    const { id } = await makeMessage('accepted');
    await database.query(
      `UPDATE deliveries SET language = CASE WHEN device_id % 2 = 0 THEN 'fa' END WHERE message_id = $1`,
      [id],
    );
    const list = (language: string | null | undefined): Promise<{ deviceId: DeviceId; state: DeliveryState }[]> =>
      new DeliveryReportsRepository(database).list(database, 'shop', id, {
        ...{ state: null, language, afterDeviceId: NO_DEVICE, limit: DEVICES },
      });
    const isSent = ({ state }: Pick<Known, 'state'>): boolean =>
      !['pending', 'expired', 'skipped', 'cancelled'].includes(state);
    const all = (await list(undefined)).filter(isSent).map(({ deviceId }) => deviceId);
    for (const tag of ['fa', 'FA'])
      expect((await list(tag)).map(({ deviceId }) => deviceId)).toEqual(all.filter((one) => Number(one) % 2 === 0));
    expect((await list(null)).map(({ deviceId }) => deviceId)).toEqual(all.filter((one) => Number(one) % 2 === 1));
    expect(await list('fr')).toEqual([]);
  });

  it('are none of a message without any', async () => {
    expect(await readAll(newId(), null, 50)).toEqual([]);
    expect(await readAll(newId(), 'pending', 50)).toEqual([]);
  });
});
