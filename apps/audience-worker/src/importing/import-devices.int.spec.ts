import { MOST_TAGS } from '@postrider/contracts';
import { rows } from '@postrider/persistence';
import { countsOf, FCM, ONESIGNAL, tokenList, useTestImports } from './testing/test-imports';

describe('importing devices', () => {
  const imports = useTestImports();

  it('makes users, their devices and tags, guests, and tells lines that are wrong by their numbers', async () => {
    const { job, errors } = await imports.importOf(ONESIGNAL, 'onesignal');
    expect(countsOf(job)).toEqual({
      status: 'done',
      lines: 7,
      created: 3,
      updated: 0,
      unchanged: 0,
      skipped: 1,
      failed: 1,
    });
    expect(errors).toEqual([{ line: 6, message: 'device_type 99 is not known' }]);
    const [guest, first, second] = await imports.devices();
    expect(first).toMatchObject({
      userId: 'ada',
      token: 'token-a',
      usableVendor: 'fcm',
      locale: 'nl',
      tags: ['plan', 'vip'],
      tagValues: { plan: 'gold' },
      launchTime: new Date('2026-05-01T09:00:00Z'),
      installDate: new Date('2026-01-01T00:00:00Z'),
    });
    expect(second).toMatchObject({
      token: 'token-b',
      tokenStatus: 'DENIED',
      usableVendor: null,
      tags: ['plan', 'vip'],
    });
    expect(guest).toMatchObject({ token: '0a1b', usableVendor: 'apns', registration: { isGuest: true } });
    expect(guest?.userId).toMatch(/^guest-[0-9a-f]{32}$/);
    expect(await rows(imports.database, `SELECT 1 FROM device_import_chunks`)).toEqual([]);
  });

  it('reads a file by its separator, also where another worker goes on in the middle', async () => {
    const lines = Array.from({ length: 2_500 }, (_line, at) => `"t,${at}";u${at};;`);
    const text = ['sep=;', 'token;userId;;', ...lines, ''].join('\r\n');
    const jobId = await imports.upload(text, 'tokens', { pushType: 'fcm', separator: ';' });
    expect(await imports.turn(jobId, { signal: AbortSignal.abort() })).toBe('unfinished');
    expect(await imports.files.find({ appId: 'shop', jobId })).toMatchObject({ lines: 2_000, created: 1_998 });
    const { job, errors } = await imports.work(jobId);
    expect(errors).toEqual([]);
    expect(countsOf(job)).toMatchObject({ status: 'done', lines: 2_502, created: 2_500, failed: 0 });
    expect((await imports.devices()).find(({ userId }) => userId === 'u2499')).toMatchObject({ token: 't,2499' });
  });

  it('reads the columns of a known format in any case, and those that a mapping names', async () => {
    const text = 'Identifier,DEVICE_TYPE,Language,Plan\nt1,1,nl,gold\n';
    const mapping = { 'tags.plan': { column: 'Plan' }, 'attributes.type': { column: 'device_type' } };
    expect(countsOf((await imports.importOf(text, 'onesignal', { mapping })).job)).toMatchObject({
      created: 1,
      failed: 0,
    });
    expect(await imports.devices()).toMatchObject([{ token: 't1', locale: 'nl', tags: ['plan'] }]);
  });

  it('imports a device without a value that cannot be read, and tells of it by the column of the file', async () => {
    const text = [
      'Identifier,DEVICE_TYPE,Session_Count,Last_Active,external_user_id',
      't1,1,often,02/11/2025,ada',
      't2,1,3,1.7305E+09,ada,,',
      ',1,3,,bob',
      't3,99,3,,bob',
      '',
    ].join('\n');
    const { job, errors } = await imports.importOf(text, 'onesignal');
    expect(countsOf(job)).toMatchObject({ status: 'done', created: 2, skipped: 1, failed: 1 });
    expect(job.incomplete).toBe(1);
    expect(errors).toEqual([
      {
        line: 2,
        message: expect.stringMatching(
          /^Last_Active \(launchTime\) must be a time: .*; Session_Count \(launchCount\) must be a whole number .*; the device is imported without them$/,
        ) as string,
      },
      { line: 5, message: 'DEVICE_TYPE 99 is not known' },
    ]);
    expect((await imports.devices())[1]).toMatchObject({ token: 't2', launchTime: new Date(1_730_500_000_000) });
    const numbered = { 'tags.plan': { column: '3' }, deviceToken: { column: '1' }, userId: { column: '2' } };
    const long = await imports.importOf(`t4,ada,${'x'.repeat(256)}\n,ada,gold\n`, 'mapping', {
      ...FCM,
      mapping: numbered,
    });
    expect(countsOf(long.job)).toMatchObject({ created: 1, skipped: 1, failed: 0 });
    expect(long.errors).toEqual([
      { line: 1, message: expect.stringMatching(/^column 3 \(tags\.plan\) must be 1 to 255/) as string },
    ]);
  });

  it('imports a device whose tags are too many for its user, without them', async () => {
    const tagsOf = (prefix: string, count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, ''])));
    const line = (token: string, tags: string): string =>
      JSON.stringify({ identifier: token, device_type: 1, external_user_id: 'ada', tags });
    const text = [line('t1', tagsOf('a', MOST_TAGS)), line('t2', tagsOf('b', 1)), line('t3', tagsOf('a', 1))].join(
      '\n',
    );
    const { job, errors } = await imports.importOf(text, 'onesignal', { kind: 'ndjson' });
    expect(job).toMatchObject({ created: 3, incomplete: 1, failed: 0 });
    expect(errors).toEqual([{ line: 2, message: expect.stringMatching(/^tags would be more than/) as string }]);
    expect((await imports.devices()).map(({ tags }) => tags.length)).toEqual([MOST_TAGS, MOST_TAGS, MOST_TAGS]);
  });

  it('reads documents by their elements, and channels of Parse', async () => {
    const results = [
      { deviceType: 'ios', deviceToken: 'AB', channels: ['', 'News'], user: { objectId: 'u1' } },
      7,
      { deviceType: 'android', deviceToken: 'has blanks' },
      { deviceType: 'android' },
    ];
    const { job, errors } = await imports.importOf(JSON.stringify({ results }), 'parse', { kind: 'json' });
    expect(countsOf(job)).toEqual({
      status: 'done',
      lines: 4,
      created: 1,
      updated: 0,
      unchanged: 0,
      skipped: 1,
      failed: 2,
    });
    expect(errors.map(({ line }) => line)).toEqual([1, 2]);
    expect(await imports.devices()).toMatchObject([{ userId: 'u1', token: 'ab', channels: ['public/News'] }]);
  });

  it.each<[string, Buffer, string, number]>([
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('t1,ada\nt2,'), Buffer.from([0xff, 0xfe]), Buffer.from('\nt3,bob\n')]),
      'line 2 is not UTF-8',
      2,
    ],
    ['NUL', Buffer.from('t1,ada\n\n"t\0"\nt3,bob\n'), 'line 3 holds NUL', 3],
  ])('stops at %s; what stood before stays', async (_what, text, reason, lines) => {
    const { job } = await imports.importOf(text, 'tokens', { pushType: 'fcm', hasHeader: false });
    expect(job).toMatchObject({ status: 'failed', reason, lines, created: 1, finishedAt: expect.any(Date) as Date });
    expect(await imports.devices()).toHaveLength(1);
    expect(await imports.turn(job.jobId)).toBe('over');
  });

  it('makes the same of lines whose devices are all new and of lines among which one is known', async () => {
    const lines = [
      {
        identifier: 'a\\b',
        device_type: 1,
        external_user_id: 'tab\tand "quotes"',
        tags: { 'a"b\\c': 'x\\ny', 'é{},': '' },
      },
      { identifier: 't2', device_type: 1, external_user_id: '\\N', device_model: 'line\nbreak', location: '52.1,5.1' },
      {
        identifier: 't3',
        device_type: 1,
        external_user_id: '\\N',
        invalid_identifier: 't',
        device_os: '13',
        ad_id: null,
      },
      { identifier: 'NULL', device_type: 13, created_at: '2026-01-01', session_count: 3, tags: { NULL: '{}' } },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const options = { kind: 'ndjson', appId: 'other' } as const;
    const first = await imports.upload(JSON.stringify({ identifier: 'known', device_type: 1 }), 'onesignal', options);
    await imports.turn(first, { appId: 'other' });
    const known = await imports.upload(`${text}\n{"identifier":"known","device_type":1}`, 'onesignal', options);
    expect(await imports.turn(known, { appId: 'other' })).toBe('done');
    expect(countsOf((await imports.importOf(text, 'onesignal', { kind: 'ndjson' })).job)).toMatchObject({
      created: 4,
      failed: 0,
    });
    const madeOf = async (appId: string): Promise<object[]> =>
      (await imports.devices(appId))
        .filter(({ token }) => token !== 'known')
        .map(({ updatedAt, launchTime, installDate, ...device }) => ({
          ...device,
          isLaunchedNow: Number(launchTime) === Number(updatedAt),
          isInstalledNow: Number(installDate) === Number(updatedAt),
        }));
    expect(await madeOf('shop')).toEqual(await madeOf('other'));
    const usersOf = (appId: string): Promise<object[]> =>
      rows(
        imports.database,
        `SELECT user_id, tags, tag_values, attributes, imported_at = updated_at AS is_imported FROM users
         WHERE app_id = $1 AND user_id NOT LIKE 'guest-%' ORDER BY 1`,
        [appId],
      );
    expect(await usersOf('shop')).toEqual(await usersOf('other'));
    expect((await usersOf('shop')).map((user) => (user as { user_id: string }).user_id)).toEqual([
      '\\N',
      'tab\tand "quotes"',
    ]);
  });

  it('notes which columns of the mapping a line of JSON has, also where another worker goes on in the middle', async () => {
    const mapping = {
      deviceToken: { column: 'token' },
      userId: { column: 'customer' },
      'tags.plan': { column: 'details.plan' },
      'tags.city': { column: 'details.city' },
      pushType: { value: 'fcm' },
    };
    const early = Array.from({ length: 2_500 }, (_line, at) => ({
      token: `t${at}`,
      ...(at === 0 && { details: { plan: 1 } }),
    }));
    const lines = [...early, { token: 'last', details: { city: null } }];
    // PostgreSQL keeps the fields of a mapping in an order of its own.
    const columns = ['details.plan', 'token'];
    for (const [kind, text] of [
      ['ndjson', lines.map((line) => JSON.stringify(line)).join('\n')],
      ['json', JSON.stringify(lines)],
    ] as const) {
      const jobId = await imports.upload(text, 'mapping', { kind, mapping });
      expect(await imports.turn(jobId, { signal: AbortSignal.abort() })).toBe('unfinished');
      expect(await imports.files.find({ appId: 'shop', jobId })).toMatchObject({ lines: 2_000, columns });
      expect((await imports.work(jobId)).job).toMatchObject({
        status: 'done',
        lines: 2_501,
        columns: [...columns, 'details.city'],
      });
    }
  });

  it('numbers as many columns of a file without a header as its longest line has', async () => {
    const { job } = await imports.importOf('t1\nt2,ada,,\nt3\n', 'tokens', FCM);
    expect(job.columns).toEqual(['1', '2', '3', '4']);
  });

  it('has the segments of its application measured again, if it has changed many devices', async () => {
    await rows(
      imports.database,
      `INSERT INTO segments (app_id, segment_id, name, segment, created_at, updated_at, measure_at)
       SELECT app_id, gen_random_uuid(), app_id, '{}', now(), now(), now() + interval '1 hour' FROM applications`,
    );
    const due = (): Promise<unknown[]> =>
      rows(imports.database, `SELECT name FROM segments WHERE measure_at <= clock_timestamp()`);
    await imports.importOf(tokenList(99), 'tokens', FCM);
    await imports.importOf(tokenList(99), 'tokens', FCM);
    expect(await due()).toEqual([]);
    await imports.importOf(tokenList(100, 'x'), 'tokens', FCM);
    expect(await due()).toEqual([{ name: 'shop' }]);
  });
});
