import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { registeringBatch } from './registering';
import type { SentRegistration } from './registration';
import { NOTHING_SAID } from './testing/nothing-said';

const DEVICES = 40;

describe('registering known devices together', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  it('reads each device once, however many are registered', async () => {
    const registrations = Array.from({ length: DEVICES }, (_, place) => registrationOf(place));
    const { text, values } = registeringBatch({ appId: 'shop', registrations, at: new Date() }).toQuery();
    await rows(throwAway.dataSource, text, values);
    const plan = await rows<Record<'QUERY PLAN', string>>(throwAway.dataSource, `EXPLAIN (ANALYZE) ${text}`, values);
    const lines = plan.map((line) => line['QUERY PLAN']);
    expect(lines.find((line) => line.includes('Update on installations'))).toContain(`rows=${DEVICES}.00 loops=1`);
    expect(lines.filter((line) => line.includes('Rows Removed by Join Filter: ')).map(removed)).toEqual([DEVICES]);
  });
});

function removed(line: string): number {
  return Number(/: (\d+)/.exec(line)?.[1]);
}

function registrationOf(place: number): SentRegistration {
  return {
    installationId: newId(),
    isNamed: false,
    sent: {
      ...NOTHING_SAID,
      userId: `user-${place}`,
      deviceType: 'android',
      pushType: 'fcm',
      token: `token-${place}`,
      registration: {},
      realtime: false,
      protected: false,
      isProved: true,
    },
  };
}
