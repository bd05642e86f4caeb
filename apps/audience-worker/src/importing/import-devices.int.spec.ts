import { MOST_TAGS } from '@postrider/contracts';
import type { SendOutcome } from '@postrider/domain';
import { RecoverDeviceImports } from '@postrider/maintenance';
import {
  type Database,
  type DeviceImportsRepository,
  ImportsRepository,
  inTransaction,
  rows,
} from '@postrider/persistence';
import { createLogger, newId } from '@postrider/platform';
import { clockShowing } from '@postrider/testing';
import type { ImportDevicesOutcome } from './import-devices.service';
import { countsOf as counts, type StoredDevice, TestImports } from './testing/test-imports';

const HOUR_MS = 3_600_000;
const RECOVERY = { sweepIntervalMs: 1, retentionDays: 30 };
const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

describe('importing devices', () => {
  let imports: TestImports;
  let database: Database;
  let files: DeviceImportsRepository;

  beforeEach(async () => {
    imports = await TestImports.start();
    ({ database, files } = imports);
  });
  afterEach(() => imports.stop());

  const upload: TestImports['upload'] = (...of) => imports.upload(...of);
  const work: TestImports['work'] = (...of) => imports.work(...of);
  const importOf: TestImports['importOf'] = (...of) => imports.importOf(...of);
  const devices = (appId?: string): Promise<StoredDevice[]> => imports.devices(appId);
  const turn = (
    jobId: string,
    signal?: AbortSignal,
    appId?: string,
    mayWait?: boolean,
  ): Promise<ImportDevicesOutcome> => imports.turn(jobId, { signal, appId, mayWait });

  /** Begins an upload of which one piece has arrived. */
  async function begin(giveUpAt: Date): Promise<string> {
    const key = { appId: 'shop', jobId: newId() };
    await files.insert(key, { name: null, kind: 'csv', options: {}, createdAt: giveUpAt, giveUpAt });
    await files.insertChunk(key, 0, Buffer.from('t1,ada\n'));
    return key.jobId;
  }

  const ONESIGNAL = [
    'id,identifier,session_count,language,timezone,device_os,device_type,tags,last_active,created_at,invalid_identifier,external_user_id',
    '1,token-a,3,nl,3600,14,1,"{""plan"":""gold"",""vip"":""""}",2026-05-01 09:00:00,2026-01-01 00:00:00,f,ada',
    '2,token-b,1,fr,0,13,1,{},2026-05-02 09:00:00,2026-01-01 00:00:00,t,ada',
    '3,ada@example.org,1,nl,0,,11,{},,,f,ada',
    '',
    '4,token-c,1,de,0,12,99,{},,,f,bob',
    '5,0A1B,1,de,0,17,0,{},,,f,',
    '',
  ].join('\n');

  it('makes users, their devices and tags, guests, and tells lines that are wrong by their numbers', async () => {
    const { job, errors } = await importOf(ONESIGNAL, 'onesignal');
    expect(counts(job)).toEqual({
      status: 'done',
      lines: 7,
      created: 3,
      updated: 0,
      unchanged: 0,
      skipped: 1,
      failed: 1,
    });
    expect(errors).toEqual([{ line: 6, message: 'device_type 99 is not known' }]);
    const [guest, first, second] = await devices();
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
    expect(await rows(database, `SELECT 1 FROM device_import_chunks`)).toEqual([]);
  });

  it('reads a file by its separator, also where another worker goes on in the middle', async () => {
    const lines = Array.from({ length: 2_500 }, (_line, at) => `"t,${at}";u${at};;`);
    const text = ['sep=;', 'token;userId;;', ...lines, ''].join('\r\n');
    const jobId = await upload(text, 'tokens', { pushType: 'fcm', separator: ';' });
    expect(await turn(jobId, AbortSignal.abort())).toBe('unfinished');
    expect(await files.find({ appId: 'shop', jobId })).toMatchObject({ lines: 2_000, created: 1_998 });
    const { job, errors } = await work(jobId);
    expect(errors).toEqual([]);
    expect(counts(job)).toMatchObject({ status: 'done', lines: 2_502, created: 2_500, failed: 0 });
    expect((await devices()).find(({ userId }) => userId === 'u2499')).toMatchObject({ token: 't,2499' });
  });

  it('reads the columns of a known format in any case, and those that a mapping names', async () => {
    const text = 'Identifier,DEVICE_TYPE,Language,Plan\nt1,1,nl,gold\n';
    const mapping = { 'tags.plan': { column: 'Plan' }, 'attributes.type': { column: 'device_type' } };
    expect(counts((await importOf(text, 'onesignal', { mapping })).job)).toMatchObject({ created: 1, failed: 0 });
    expect(await devices()).toMatchObject([{ token: 't1', locale: 'nl', tags: ['plan'] }]);
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
    const { job, errors } = await importOf(text, 'onesignal');
    expect(counts(job)).toMatchObject({ status: 'done', created: 2, skipped: 1, failed: 1 });
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
    expect((await devices())[1]).toMatchObject({ token: 't2', launchTime: new Date(1_730_500_000_000) });
    const numbered = { 'tags.plan': { column: '3' }, deviceToken: { column: '1' }, userId: { column: '2' } };
    const long = await importOf(`t4,ada,${'x'.repeat(256)}\n,ada,gold\n`, 'mapping', { ...FCM, mapping: numbered });
    expect(counts(long.job)).toMatchObject({ created: 1, skipped: 1, failed: 0 });
    expect(long.errors).toEqual([
      { line: 1, message: expect.stringMatching(/^column 3 \(tags\.plan\) must be 1 to 255/) as string },
    ]);
  });

  it('never lets a line without a readable time overwrite what the device said itself', async () => {
    await rows(
      database,
      `INSERT INTO users (app_id, user_id, tags, tag_values) VALUES ('shop', 'ada', '{plan}', '{"plan":"gold"}')`,
    );
    await rows(
      database,
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at, locale, launch_time)
       VALUES ('shop', gen_random_uuid(), 'ada', 'fcm', 't1', '2026-01-01Z', 'en', '2026-01-01Z')`,
    );
    const text =
      'identifier,device_type,language,last_active,external_user_id,tags\n' +
      't1,1,nl,02/11/2026,ada,"{""plan"":""free""}"\n';
    expect((await importOf(text, 'onesignal')).job).toMatchObject({ unchanged: 1, incomplete: 1, failed: 0 });
    expect(await devices()).toMatchObject([{ locale: 'en', launchTime: new Date('2026-01-01') }]);
    expect(await rows(database, `SELECT tag_values AS "tagValues" FROM users`)).toEqual([
      { tagValues: { plan: 'gold' } },
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
    const { job, errors } = await importOf(text, 'onesignal', { kind: 'ndjson' });
    expect(job).toMatchObject({ created: 3, incomplete: 1, failed: 0 });
    expect(errors).toEqual([{ line: 2, message: expect.stringMatching(/^tags would be more than/) as string }]);
    expect((await devices()).map(({ tags }) => tags.length)).toEqual([MOST_TAGS, MOST_TAGS, MOST_TAGS]);
  });

  it('changes nothing when the same file comes again', async () => {
    await importOf(ONESIGNAL, 'onesignal');
    const before = await devices();
    const { job } = await importOf(ONESIGNAL, 'onesignal');
    expect(counts(job)).toMatchObject({ created: 0, updated: 0, unchanged: 3, skipped: 1, failed: 1 });
    expect(await devices()).toEqual(before);
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
    expect(counts((await importOf(text, 'mapping', options)).job)).toMatchObject({
      created: 2,
      updated: 1,
      unchanged: 0,
    });
    expect(await devices()).toMatchObject([
      { userId: 'ada', locale: 'de', tagValues: { team: 'blue' } },
      { userId: 'bob', locale: 'fr' },
    ]);
    const before = await devices();
    expect(counts((await importOf(text, 'mapping', options)).job)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    });
    expect(await devices()).toEqual(before);
    // The second import is another file with other facts.
    expect(counts((await importOf('t1,cleo,es,\n', 'mapping', options)).job)).toMatchObject({ updated: 1 });
    expect((await devices())[0]).toMatchObject({ userId: 'cleo', locale: 'es', tags: [] });
  });

  it('keeps what the device or the backend said later than the file knows, and adds tags', async () => {
    const registeredAt = new Date('2026-04-01T00:00:00Z');
    await rows(
      database,
      `INSERT INTO users (app_id, user_id, tags, tag_values, attributes, updated_at)
       VALUES ('shop', 'ada', '{city,plan}', '{"plan":"silver"}', '{"age":1}', $1), ('shop', 'eve', '{}', '{}', '{}', now())`,
      [registeredAt],
    );
    for (const [token, userId] of [
      ['old', 'ada'],
      ['new', 'eve'],
    ]) {
      await rows(
        database,
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
    const { job } = await importOf(text, 'onesignal', { kind: 'ndjson' });
    expect(counts(job)).toMatchObject({ created: 0, updated: 2 });
    expect(await devices()).toMatchObject([
      { token: 'new', userId: 'bob', locale: 'nl', osVersion: '9', tagValues: { plan: 'gold', city: 'Yazd' } },
      { token: 'old', userId: 'ada', locale: 'en', tags: ['city', 'plan', 'vip'], tagValues: { plan: 'silver' } },
    ]);
    expect(await rows(database, `SELECT user_id FROM former_owners WHERE app_id = 'shop'`)).toEqual([
      { user_id: 'eve' },
    ]);
    // A token that a vendor called dead stays switched off, and a device that has a user does not go to a guest.
    await rows(database, `UPDATE installations SET token_status = 'INVALID' WHERE token = 'old'`);
    await importOf('old\nnew\n', 'tokens', { pushType: 'fcm', hasHeader: false });
    expect(await devices()).toMatchObject([{ userId: 'bob' }, { userId: 'ada', tokenStatus: 'INVALID' }]);
    expect(await rows(database, `SELECT 1 FROM users WHERE user_id LIKE 'guest-%'`)).toEqual([]);
  });

  it('reads documents by their elements, and channels of Parse', async () => {
    const results = [
      { deviceType: 'ios', deviceToken: 'AB', channels: ['', 'News'], user: { objectId: 'u1' } },
      7,
      { deviceType: 'android', deviceToken: 'has blanks' },
      { deviceType: 'android' },
    ];
    const { job, errors } = await importOf(JSON.stringify({ results }), 'parse', { kind: 'json' });
    expect(counts(job)).toEqual({
      status: 'done',
      lines: 4,
      created: 1,
      updated: 0,
      unchanged: 0,
      skipped: 1,
      failed: 2,
    });
    expect(errors.map(({ line }) => line)).toEqual([1, 2]);
    expect(await devices()).toMatchObject([{ userId: 'u1', token: 'ab', channels: ['public/News'] }]);
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
    const { job } = await importOf(text, 'tokens', { pushType: 'fcm', hasHeader: false });
    expect(job).toMatchObject({ status: 'failed', reason, lines, created: 1, finishedAt: expect.any(Date) as Date });
    expect(await devices()).toHaveLength(1);
    expect(await turn(job.jobId)).toBe('over');
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
    await turn(
      await upload(JSON.stringify({ identifier: 'known', device_type: 1 }), 'onesignal', options),
      undefined,
      'other',
    );
    const known = await upload(`${text}\n{"identifier":"known","device_type":1}`, 'onesignal', options);
    expect(await turn(known, undefined, 'other')).toBe('done');
    expect(counts((await importOf(text, 'onesignal', { kind: 'ndjson' })).job)).toMatchObject({
      created: 4,
      failed: 0,
    });
    const madeOf = async (appId: string): Promise<object[]> =>
      (await devices(appId))
        .filter(({ token }) => token !== 'known')
        .map(({ updatedAt, launchTime, installDate, ...device }) => ({
          ...device,
          isLaunchedNow: Number(launchTime) === Number(updatedAt),
          isInstalledNow: Number(installDate) === Number(updatedAt),
        }));
    expect(await madeOf('shop')).toEqual(await madeOf('other'));
    const usersOf = (appId: string): Promise<object[]> =>
      rows(
        database,
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

  it('writes a file of many stretches whose users and devices come again and again', async () => {
    const numbers = Array.from({ length: 12_000 }, (_line, n) => (n * 7) % 9_000);
    const lines = numbers.map((n) => `t${n},u${n % 700}`);
    const { job } = await importOf(lines.join('\n'), 'tokens', FCM);
    expect(counts(job)).toEqual({
      status: 'done',
      lines: 12_000,
      created: 9_000,
      updated: 0,
      unchanged: 3_000,
      skipped: 0,
      failed: 0,
    });
    const owners = new Map(lines.map((line) => line.split(',') as [string, string]));
    expect(new Map((await devices()).map(({ token, userId }) => [token, userId]))).toEqual(owners);
  });

  it.each([2_000, -2_000])('writes each device once where owners move by a stretch: %s', async (by) => {
    const written = jest.spyOn(ImportsRepository.prototype, 'importDevices');
    const mapping = { deviceToken: { column: '1' }, userId: { column: '2' }, 'tags.plan': { column: '3' } };
    const how = { mapping, pushType: 'fcm', hasHeader: false } as const;
    const fileOf = (move: number, plan: string): string =>
      Array.from({ length: 8_000 }, (_, n) => `t${n},u${n + move},${plan}`).join('\n');
    await importOf(fileOf(0, 'free'), 'mapping', how);
    written.mockClear();
    const { job } = await importOf(fileOf(by, 'gold'), 'mapping', how);
    expect(job).toMatchObject({ status: 'done', created: 0, updated: 8_000 });
    // A stretch that waits in vain for the one before is taken back, and written again.
    expect(written.mock.calls.reduce((sum, [, , asked]) => sum + asked.length, 0)).toBe(8_000);
    const owners = (await devices()).map(({ token, userId }) => `${token},${userId}`);
    expect(owners.sort()).toEqual(Array.from({ length: 8_000 }, (_, n) => `t${n},u${n + by}`).sort());
  });

  const list = (count: number, prefix = 't'): string =>
    Array.from({ length: count }, (_, n) => `${prefix}${n},u${n % 500}`).join('\n');

  it('counts every record once, however often it is stopped and however many work it', async () => {
    const jobId = await upload(list(9_000), 'tokens', { pushType: 'fcm', hasHeader: false });
    const stopped = AbortSignal.abort();
    expect(await turn(jobId, stopped)).toBe('unfinished');
    expect(await files.find({ appId: 'shop', jobId })).toMatchObject({ created: 2_000, lines: 2_000 });
    const outcomes = await Promise.all([turn(jobId, stopped), turn(jobId, stopped), turn(jobId, stopped)]);
    expect(outcomes).toContain('taken');
    const { job } = await work(jobId);
    expect(counts(job)).toMatchObject({ status: 'done', lines: 9_000, created: 9_000, updated: 0, unchanged: 0 });
    expect(await devices()).toHaveLength(9_000);
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
      const jobId = await upload(text, 'mapping', { kind, mapping });
      expect(await turn(jobId, AbortSignal.abort())).toBe('unfinished');
      expect(await files.find({ appId: 'shop', jobId })).toMatchObject({ lines: 2_000, columns });
      expect((await work(jobId)).job).toMatchObject({
        status: 'done',
        lines: 2_501,
        columns: [...columns, 'details.city'],
      });
    }
  });

  it('numbers as many columns of a file without a header as its longest line has', async () => {
    const { job } = await importOf('t1\nt2,ada,,\nt3\n', 'tokens', FCM);
    expect(job.columns).toEqual(['1', '2', '3', '4']);
  });

  it('lets two files of the same devices in at once', async () => {
    const [one, other] = await Promise.all([
      importOf(list(4_000), 'tokens', FCM),
      importOf(list(4_000), 'tokens', FCM),
    ]);
    expect(one.job.created + other.job.created).toBe(4_000);
    expect(one.job.unchanged + other.job.unchanged + one.job.updated + other.job.updated).toBe(4_000);
    expect(await devices()).toHaveLength(4_000);
  });

  it('makes devices in the order of their tokens, so that two files do not wait for each other', async () => {
    const made = (): Promise<unknown[]> => rows(database, `SELECT token FROM installations ORDER BY id`);
    const list = (...tokens: string[]): string => tokens.map((token, n) => `${token},user${n}`).join('\n');
    await importOf(list('token-d', 'token-b', 'token-c'), 'tokens', { pushType: 'fcm', hasHeader: false });
    const copied = [{ token: 'token-b' }, { token: 'token-c' }, { token: 'token-d' }];
    expect(await made()).toEqual(copied);
    // One exists, so the others are not copied.
    await importOf(list('token-f', 'token-b', 'token-e'), 'tokens', { pushType: 'fcm', hasHeader: false });
    expect(await made()).toEqual([...copied, { token: 'token-e' }, { token: 'token-f' }]);
  });

  it('takes one connection for each file, and two more for all of them', async () => {
    const lines = (prefix: string): string =>
      Array.from({ length: 60 }, (_, n) => `${prefix}-${n},${prefix}${n}`).join('\n');
    const options = { pushType: 'hms', hasHeader: false, validationRate: 5 } as const;
    const jobIds = await Promise.all(
      ['one', 'two', 'three', 'four'].map((prefix) => upload(lines(prefix), 'tokens', options)),
    );
    let open = 0;
    let mostOpen = 0;
    const transaction = database.transaction.bind(database) as (
      work: (executor: unknown) => unknown,
    ) => Promise<unknown>;
    const spy = jest.spyOn(database, 'transaction').mockImplementation((async (
      work: (executor: unknown) => unknown,
    ) => {
      mostOpen = Math.max(mostOpen, (open += 1));
      return transaction(work).finally(() => (open -= 1));
    }) as never);
    const worker = imports.worker();
    const importFile = async (jobId: string): Promise<string> => {
      const outcome = await worker.work({ appId: 'shop', jobId }, new AbortController().signal, true);
      return outcome === 'unfinished' ? importFile(jobId) : outcome;
    };
    expect(await Promise.all(jobIds.map(importFile))).toEqual(jobIds.map(() => 'done'));
    spy.mockRestore();
    expect(mostOpen).toBeLessThanOrEqual(jobIds.length + 2);
    expect(await devices()).toHaveLength(240);
  });

  it('waits for whoever holds a user, and gives each application its own devices', async () => {
    await importOf('t1,ada\n', 'tokens', FCM);
    const jobId = await upload('t1,ada\nt2,ada\n', 'tokens', { ...FCM, appId: 'other' });
    expect(await turn(jobId, undefined, 'other')).toBe('done');
    expect(await devices('other')).toHaveLength(2);
    const waiting = await upload('t3,ada\n', 'tokens', FCM);
    let done: Promise<ImportDevicesOutcome> | undefined;
    await inTransaction(database, async (executor) => {
      await rows(executor, `SELECT FROM users WHERE app_id = 'shop' AND user_id = 'ada' FOR UPDATE`);
      done = turn(waiting);
      const locks = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await rows(database, locks)).length === 0);
    });
    expect(await done).toBe('done');
    expect(await devices()).toHaveLength(2);
  });

  it('ends when it is cancelled or its application goes, and is woken when nobody works it', async () => {
    const jobId = await upload(list(5_000), 'tokens', FCM);
    expect(await turn(jobId, AbortSignal.abort())).toBe('unfinished');
    const woken: object[] = [];
    const enqueuer = { enqueueFiles: (_job: object, some: object[]) => Promise.resolve(woken.push(...some) > 0) };
    const later = clockShowing(() => new Date(Date.now() + HOUR_MS));
    await new RecoverDeviceImports(files, later, enqueuer as never, logger, RECOVERY).run();
    expect(woken).toEqual([{ appId: 'shop', jobId }]);
    const end = { reason: 'cancelled', now: new Date(), wakeAt: new Date() };
    expect(await files.fail({ appId: 'shop', jobId }, end)).toBe(true);
    expect(await turn(jobId)).toBe('over');
    expect(await devices()).toHaveLength(2_000);
    expect(await rows(database, `SELECT 1 FROM device_import_chunks`)).toEqual([]);
    const another = await upload(list(5_000, 'x'), 'tokens', FCM);
    expect(await turn(another, AbortSignal.abort())).toBe('unfinished');
    await rows(database, `DELETE FROM device_imports WHERE job_id = $1`, [another]);
    expect(await turn(another)).toBe('over');
  });

  it('fails when its upload was cut off, and says so; an upload that its gateway renews goes on', async () => {
    const now = new Date();
    const recover = (at: Date): Promise<boolean> =>
      new RecoverDeviceImports(
        files,
        clockShowing(() => at),
        {} as never,
        logger,
        RECOVERY,
      ).run();
    const [cutOff, slow] = [await begin(now), await begin(now)];
    expect(await files.renew({ appId: 'shop', jobId: slow }, new Date(now.getTime() + HOUR_MS))).toBe(true);
    await recover(new Date(now.getTime() + 1));
    const found = await files.find({ appId: 'shop', jobId: cutOff });
    expect(found).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^The upload was cut off.*send it again$/) as string,
      finishedAt: new Date(now.getTime() + 1),
    });
    expect(await files.find({ appId: 'shop', jobId: slow })).toMatchObject({ status: 'uploading' });
    expect(await rows(database, `SELECT job_id AS id FROM device_import_chunks`)).toEqual([{ id: slow }]);
    // A gateway that was only held up finds that it may not go on, and starts nothing.
    expect(await files.renew({ appId: 'shop', jobId: cutOff }, now)).toBe(false);
    expect(await files.start({ appId: 'shop', jobId: cutOff }, { bytes: 1, wakeAt: now })).toBe(false);
    // It is kept as long as other files.
    await recover(new Date(now.getTime() + 30 * 24 * HOUR_MS));
    expect(await files.find({ appId: 'shop', jobId: cutOff })).not.toBeNull();
    await recover(new Date(now.getTime() + 31 * 24 * HOUR_MS));
    expect(await files.find({ appId: 'shop', jobId: cutOff })).toBeNull();
  });

  const VALIDATED = { pushType: 'fcm', hasHeader: false, validationRate: 1_000 } as const;
  const taken: SendOutcome = { kind: 'accepted', vendorMessageId: null };

  it('leaves out the tokens that FCM refuses, by their lines and with its code, and asks about each once', async () => {
    imports.answer((token) =>
      token === 't2'
        ? { kind: 'token_invalid', code: 'UNREGISTERED', reason: 'Requested entity was not found.' }
        : taken,
    );
    const jobId = await upload('t1,ada\nt2,bob\nt1,ada\nt3,cleo\n', 'tokens', VALIDATED);
    // A turn that may not wait does not validate.
    expect(await turn(jobId)).toBe('validates');
    const { job, errors } = await work(jobId, true);
    expect(counts(job)).toMatchObject({ status: 'done', lines: 4, created: 2, updated: 1, failed: 1 });
    expect(job).toMatchObject({ validTokens: 3, invalidTokens: 1, unansweredTokens: 0, validationError: null });
    expect(errors).toEqual([{ line: 2, message: 'FCM refuses the token: UNREGISTERED' }]);
    expect(imports.fcm?.asked).toEqual(['t1', 't2', 't3']);
    expect((await devices()).map(({ token }) => token)).toEqual(['t1', 't3']);
    expect(await rows(database, `SELECT user_id FROM users ORDER BY 1`)).toEqual([
      { user_id: 'ada' },
      { user_id: 'cleo' },
    ]);
  });

  it('imports the tokens that FCM gives no answer about, and says how many and why', async () => {
    imports.answer((token) =>
      token === 't1'
        ? taken
        : { kind: 'retryable', code: 'UNAVAILABLE', reason: 'The service is down', retryAfterMs: null },
    );
    const { job } = await work(await upload('t1,ada\nt2,bob\n', 'tokens', VALIDATED), true);
    expect(counts(job)).toMatchObject({ status: 'done', created: 2, failed: 0 });
    expect(job).toMatchObject({
      validTokens: 1,
      unansweredTokens: 1,
      validationError: 'UNAVAILABLE: The service is down',
    });
    expect(imports.fcm?.asked).toHaveLength(5);
    expect((await devices()).map(({ usableVendor }) => usableVendor)).toEqual(['fcm', 'fcm']);
    imports.fcm = null;
    const without = await work(await upload('t3,ada\n', 'tokens', VALIDATED), true);
    expect(without.job).toMatchObject({ created: 1, unansweredTokens: 1 });
    expect(without.job.validationError).toMatch(/^no_sender: /);
  });

  it('asks nobody about tokens of other vendors', async () => {
    imports.answer(() => ({ kind: 'token_invalid', code: 'UNREGISTERED', reason: 'gone' }));
    const { job } = await work(await upload('ab,ada\n', 'tokens', { ...VALIDATED, pushType: 'apns' }), true);
    expect(job).toMatchObject({ created: 1, validTokens: 0, invalidTokens: 0, unansweredTokens: 0 });
    expect(imports.fcm?.asked).toEqual([]);
  });

  it('goes on behind what is written when a worker dies, and asks again only about a second of tokens', async () => {
    imports.answer(() => taken);
    const options = { ...VALIDATED, validationRate: 10 };
    const jobId = await upload(list(30), 'tokens', options);
    const dying = new AbortController();
    const before = imports.fcm?.validate;
    if (imports.fcm)
      imports.fcm.validate = (token, done) => {
        if (imports.fcm?.asked.length === 14) dying.abort();
        before?.(token, done);
      };
    expect(await turn(jobId, dying.signal, 'shop', true)).toBe('unfinished');
    expect(await devices()).toHaveLength(10);
    const { job } = await work(jobId, true);
    expect(job).toMatchObject({ created: 30, validTokens: 30 });
    expect(imports.fcm?.asked).toHaveLength(35);
  });
});

const FCM = { pushType: 'fcm', hasHeader: false } as const;
