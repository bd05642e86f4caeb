import type { DeviceId } from '@postrider/domain';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
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
      `SELECT id::text AS id, token FROM installations`,
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
    expect(await rows(dataSource, `SELECT hour, answers::int, believed::int FROM token_answers`)).toEqual([
      { hour: new Date('2026-05-01T12:00:00.000Z'), answers: 10, believed: 1 },
    ]);
  });
});
