import type { DeviceId } from '@postrider/domain';
import { createShop, createThrowAwayDatabase, locksBefore, type ThrowAwayDatabase } from '@postrider/testing';
import { inTransaction, rows } from '../database/executor';
import { DeadTokensRepository } from './dead-tokens.repository';

describe('the answers of a vendor about tokens', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => (database = await createThrowAwayDatabase()));
  afterAll(() => database.drop());

  it('are counted by hours of UTC, on a server whose hours begin at another minute too', async () => {
    const { dataSource } = database;
    await createShop(dataSource, 1);
    const key = { appId: 'shop', vendor: 'fcm' } as const;
    const tokens = new DeadTokensRepository(dataSource);
    const now = new Date('2026-05-01T12:10:00.000Z');
    const counted = { answers: 10, dead: 1, silentAnswers: 0, silentDead: 0 };
    const [device] = await rows<{ id: DeviceId; token: string }>(
      dataSource,
      `SELECT id::text AS id, token FROM installations WHERE app_id = 'shop'`,
    );
    const dead = { deviceId: device?.id ?? '', token: device?.token ?? '', registeredAt: null, deadSince: now };
    await inTransaction(dataSource, async (executor) => {
      await rows(executor, `SET LOCAL TIME ZONE 'Asia/Kolkata'`);
      const known = await tokens.lockWatch(executor, key, now);
      if (known === null) throw new Error('The application is gone');
      await tokens.saveWatch(executor, key, known.watch, counted, now);
      await tokens.note(executor, key, [dead], now, now);
      expect(await tokens.switchOffDue(executor, key, now, 10)).toEqual({ taken: 1, switchedOff: 1 });
    });
    expect(
      await rows(dataSource, `SELECT hour, answers::int, believed::int FROM token_answers WHERE app_id = 'shop'`),
    ).toEqual([{ hour: new Date('2026-05-01T12:00:00.000Z'), answers: 10, believed: 1 }]);
  });

  it('are trusted until the operator’s time is over, also after another quarantine that was released', async () => {
    const { dataSource } = database;
    const key = { appId: 'trusting', vendor: 'fcm' } as const;
    const [tokens, now] = [new DeadTokensRepository(dataSource), new Date()];
    await rows(dataSource, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('trusting', 'T', '')`);
    const trustedUntil = new Date(now.getTime() + 3_600_000);
    for (const until of [trustedUntil, null]) {
      await tokens.beginQuarantine(dataSource, key, { share: 0.5, normalShare: 0 }, now);
      expect(await tokens.endQuarantine(dataSource, key, until)).toBe(true);
    }
    const known = await inTransaction(dataSource, (executor) => tokens.lockWatch(executor, key, now));
    expect(known).toMatchObject({ isQuarantined: false, trustedUntil });
  });

  it('are decided about without a deadlock with those who write the same devices, or count answers', async () => {
    const { dataSource } = database;
    const key = { appId: 'other', vendor: 'fcm' } as const;
    const [tokens, now] = [new DeadTokensRepository(dataSource), new Date()];
    await rows(dataSource, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('other', 'O', '')`);
    const devices = await rows<{ id: DeviceId }>(
      dataSource,
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, push_type, token)
       SELECT 'other', gen_random_uuid(), 'ada', 'epoch', 'fcm', n FROM generate_series(1, 2) n RETURNING id::text AS id`,
    );
    await rows(dataSource, `UPDATE installations SET token = 'token of ' || id WHERE app_id = 'other'`);
    const ids = devices.map(({ id }) => id).sort((one, other) => Number(one) - Number(other));
    const noteAll = (): Promise<unknown> =>
      inTransaction(dataSource, async (executor) => {
        await tokens.lockWatch(executor, key, now);
        for (const deviceId of [...ids].reverse()) {
          const dead = { deviceId, token: `token of ${deviceId}`, registeredAt: null, deadSince: now };
          await tokens.note(executor, key, [dead], now, now);
        }
      });
    const device = (place: number): string => `installations WHERE id = ${ids[place]}`;
    const note = (place: number): string => `quarantined_tokens WHERE device_id = ${ids[place]}`;
    const watch = `vendor_troubles WHERE app_id = 'other'`;
    const apply = (): Promise<unknown> => tokens.applyQuarantine(key, now, 10);
    const release = (): Promise<unknown> =>
      inTransaction(dataSource, (executor) => tokens.releaseQuarantine(executor, key, 10));

    const locked: Record<string, boolean> = {};
    const look = async (what: string, places: { earlier: string; later: string }, act: () => Promise<unknown>) => {
      await rows(dataSource, `UPDATE installations SET token_status = NULL WHERE app_id = 'other'`);
      await noteAll();
      locked[what] = await locksBefore(dataSource, places, act);
    };
    await look('the first device before the second', { earlier: device(0), later: device(1) }, apply);
    await look('a note before the devices', { earlier: note(0), later: device(1) }, apply);
    await look('the watch before the notes', { earlier: watch, later: note(1) }, apply);
    await look('the watch before the released notes', { earlier: watch, later: note(1) }, release);
    expect(locked).toEqual({
      'the first device before the second': true,
      'a note before the devices': false,
      'the watch before the notes': true,
      'the watch before the released notes': true,
    });
  });
});
