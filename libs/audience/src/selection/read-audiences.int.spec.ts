import type { Executor } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { AudienceMembers } from './audience-selection';
import { measureAudience } from './read-audiences';
import { addDevices, createApplication } from './testing/population';

describe('counting an audience', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createApplication(throwAway.dataSource, 'shop', ['fcm']);
    await addDevices(throwAway.dataSource, 'shop', [
      { userId: 'ada' },
      { userId: 'ada', deviceType: 'ios', pushType: 'apns' },
      { userId: 'bob', tokenStatus: 'DENIED' },
      { userId: 'eve', token: null, realtime: true },
    ]);
  });

  afterAll(() => throwAway.drop());

  const AUDIENCES: [name: string, who: AudienceMembers, count: number][] = [
    ['everybody', { kind: 'everyone' }, 2],
    ['everybody with Android', { kind: 'rules', target: { deviceType: 'android' } }, 2],
    ['everybody with an iPhone', { kind: 'rules', target: { deviceType: 'ios' } }, 0],
  ];

  it.each(AUDIENCES)('counts %s by reading the key of the devices, and not their rows', async (_, who, count) => {
    const { dataSource } = throwAway;
    const selection = { appId: 'shop', acceptedAt: new Date(), channel: 'public/default', who, reach: 'any' } as const;
    expect(await measureAudience(dataSource, selection)).toMatchObject({ count });
    const plan = await dataSource.transaction(async (manager) => {
      // For four devices nothing is faster than reading the table.
      await manager.query(`SET LOCAL enable_seqscan = off`);
      const lines: string[] = [];
      const explaining = {
        query: async (text: string, values: unknown[]): Promise<unknown> => {
          const found = await manager.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, values);
          lines.push(...found.map((line) => line['QUERY PLAN']));
          return found;
        },
      } as unknown as Executor;
      await measureAudience(explaining, selection);
      return lines;
    });
    const scans = plan.flatMap((line) => /(\w[\w ]* Scan.*) on installations i/.exec(line)?.[1] ?? []);
    expect(scans).toEqual(['Index Only Scan using installations_pkey']);
  });
});
