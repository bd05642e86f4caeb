import { ImportsRepository, rows } from '@postrider/persistence';
import { countsOf, FCM, ONESIGNAL, useTestImports } from './testing/test-imports';

describe('importing devices that are known', () => {
  const imports = useTestImports();

  it('never lets a line without a readable time overwrite what the device said itself', async () => {
    await rows(
      imports.database,
      `INSERT INTO users (app_id, user_id, tags, tag_values) VALUES ('shop', 'ada', '{plan}', '{"plan":"gold"}')`,
    );
    await rows(
      imports.database,
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at, locale, launch_time)
       VALUES ('shop', gen_random_uuid(), 'ada', 'fcm', 't1', '2026-01-01Z', 'en', '2026-01-01Z')`,
    );
    const text =
      'identifier,device_type,language,last_active,external_user_id,tags\n' +
      't1,1,nl,02/11/2026,ada,"{""plan"":""free""}"\n';
    expect((await imports.importOf(text, 'onesignal')).job).toMatchObject({ unchanged: 1, incomplete: 1, failed: 0 });
    expect(await imports.devices()).toMatchObject([{ locale: 'en', launchTime: new Date('2026-01-01') }]);
    expect(await rows(imports.database, `SELECT tag_values AS "tagValues" FROM users`)).toEqual([
      { tagValues: { plan: 'gold' } },
    ]);
  });

  it('changes nothing when the same file comes again', async () => {
    await imports.importOf(ONESIGNAL, 'onesignal');
    const before = await imports.devices();
    const { job } = await imports.importOf(ONESIGNAL, 'onesignal');
    expect(countsOf(job)).toMatchObject({ created: 0, updated: 0, unchanged: 3, skipped: 1, failed: 1 });
    expect(await imports.devices()).toEqual(before);
  });

  it('takes the later line of a token, and adds the tags of both', async () => {
    const mapping = {
      deviceToken: { column: '1' },
      userId: { column: '2' },
      locale: { column: '3' },
      'tags.team': { column: '4' },
    };
    const options = { mapping, pushType: 'fcm' as const, hasHeader: false };
    const text = 't1,ada,nl,red\nt2,bob,fr,\nt1,ada,de,blue\n';
    expect(countsOf((await imports.importOf(text, 'mapping', options)).job)).toMatchObject({
      created: 2,
      updated: 1,
      unchanged: 0,
    });
    expect(await imports.devices()).toMatchObject([
      { userId: 'ada', locale: 'de', tagValues: { team: 'blue' } },
      { userId: 'bob', locale: 'fr' },
    ]);
    const before = await imports.devices();
    expect(countsOf((await imports.importOf(text, 'mapping', options)).job)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    });
    expect(await imports.devices()).toEqual(before);
    // The second import is another file with other facts.
    expect(countsOf((await imports.importOf('t1,cleo,es,\n', 'mapping', options)).job)).toMatchObject({ updated: 1 });
    expect((await imports.devices())[0]).toMatchObject({ userId: 'cleo', locale: 'es', tags: [] });
  });

  it('knows an iPhone whose app gave its token in capitals, and keeps the token as the app gave it', async () => {
    await rows(imports.database, `INSERT INTO users (app_id, user_id) VALUES ('shop', 'ada'), ('shop', 'bob')`);
    await rows(
      imports.database,
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at)
       VALUES ('shop', gen_random_uuid(), 'ada', 'apns', '0A1B', '2026-01-01Z'),
              ('shop', gen_random_uuid(), 'bob', 'apns', '2C3D', '2026-06-01Z')`,
    );
    const text =
      'identifier,device_type,language,last_active,external_user_id\n' +
      ['0a1b,0,nl,2026-03-01 00:00:00,ada', '2c3d,0,nl,2026-03-01 00:00:00,bob', '4e5f,0,nl,,eve', ''].join('\n');
    expect(countsOf((await imports.importOf(text, 'onesignal')).job)).toMatchObject({
      created: 1,
      updated: 1,
      unchanged: 1,
    });
    expect(await imports.devices()).toMatchObject([
      { token: '0A1B', locale: 'nl' },
      { token: '2C3D', locale: null },
      { token: '4e5f', locale: 'nl' },
    ]);
    expect(countsOf((await imports.importOf(text, 'onesignal')).job)).toMatchObject({ updated: 0, unchanged: 3 });
  });

  it('keeps what the device or the backend said later than the file knows, and adds tags', async () => {
    const registeredAt = new Date('2026-04-01T00:00:00Z');
    await rows(
      imports.database,
      `INSERT INTO users (app_id, user_id, tags, tag_values, attributes, updated_at)
       VALUES ('shop', 'ada', '{city,plan}', '{"plan":"silver"}', '{"age":1}', $1), ('shop', 'eve', '{}', '{}', '{}', now())`,
      [registeredAt],
    );
    for (const [token, userId] of [
      ['old', 'ada'],
      ['new', 'eve'],
    ]) {
      await rows(
        imports.database,
        `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at, locale, os_version)
         VALUES ('shop', gen_random_uuid(), $1, 'fcm', $2, $3, 'en', '9')`,
        [userId, token, registeredAt],
      );
    }
    const line = (token: string, userId: string, at: string): object => ({
      identifier: token,
      device_type: '1',
      language: 'nl',
      last_active: at,
      external_user_id: userId,
      tags: { plan: 'gold', city: 'Yazd', vip: '' },
    });
    const text = [line('old', 'ada', '2026-03-01 00:00:00'), line('new', 'bob', '2026-05-01 00:00:00')]
      .map((object) => JSON.stringify(object))
      .join('\n');
    const { job } = await imports.importOf(text, 'onesignal', { kind: 'ndjson' });
    expect(countsOf(job)).toMatchObject({ created: 0, updated: 2 });
    expect(await imports.devices()).toMatchObject([
      { token: 'new', userId: 'bob', locale: 'nl', osVersion: '9', tagValues: { plan: 'gold', city: 'Yazd' } },
      { token: 'old', userId: 'ada', locale: 'en', tags: ['city', 'plan', 'vip'], tagValues: { plan: 'silver' } },
    ]);
    expect(await rows(imports.database, `SELECT user_id FROM former_owners WHERE app_id = 'shop'`)).toEqual([
      { user_id: 'eve' },
    ]);
    // A token that a vendor called dead stays switched off, and a device that has a user does not go to a guest.
    await rows(imports.database, `UPDATE installations SET token_status = 'INVALID' WHERE token = 'old'`);
    await imports.importOf('old\nnew\n', 'tokens', { pushType: 'fcm', hasHeader: false });
    expect(await imports.devices()).toMatchObject([{ userId: 'bob' }, { userId: 'ada', tokenStatus: 'INVALID' }]);
    expect(await rows(imports.database, `SELECT 1 FROM users WHERE user_id LIKE 'guest-%'`)).toEqual([]);
  });

  it('writes a file of many stretches whose users and devices come again and again', async () => {
    const numbers = Array.from({ length: 12_000 }, (_line, n) => (n * 7) % 9_000);
    const lines = numbers.map((n) => `t${n},u${n % 700}`);
    const { job } = await imports.importOf(lines.join('\n'), 'tokens', FCM);
    expect(countsOf(job)).toEqual({
      status: 'done',
      lines: 12_000,
      created: 9_000,
      updated: 0,
      unchanged: 3_000,
      skipped: 0,
      failed: 0,
    });
    const owners = new Map(lines.map((line) => line.split(',') as [string, string]));
    expect(new Map((await imports.devices()).map(({ token, userId }) => [token, userId]))).toEqual(owners);
  });

  it.each([2_000, -2_000])('writes each device once where owners move by a stretch: %s', async (by) => {
    const written = jest.spyOn(ImportsRepository.prototype, 'importDevices');
    const mapping = { deviceToken: { column: '1' }, userId: { column: '2' }, 'tags.plan': { column: '3' } };
    const how = { mapping, pushType: 'fcm', hasHeader: false } as const;
    const fileOf = (move: number, plan: string): string =>
      Array.from({ length: 8_000 }, (_, n) => `t${n},u${n + move},${plan}`).join('\n');
    await imports.importOf(fileOf(0, 'free'), 'mapping', how);
    written.mockClear();
    const { job } = await imports.importOf(fileOf(by, 'gold'), 'mapping', how);
    expect(job).toMatchObject({ status: 'done', created: 0, updated: 8_000 });
    // A stretch that waits in vain for the one before is taken back, and written again.
    expect(written.mock.calls.reduce((sum, [, , asked]) => sum + asked.length, 0)).toBe(8_000);
    const owners = (await imports.devices()).map(({ token, userId }) => `${token},${userId}`);
    expect(owners.sort()).toEqual(Array.from({ length: 8_000 }, (_, n) => `t${n},u${n + by}`).sort());
  });
});
