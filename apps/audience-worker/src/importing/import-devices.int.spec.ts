import { type ImportFileKind, type ImportFormat } from '@postrider/contracts';
import { type SendOutcome, systemClock } from '@postrider/domain';
import { RecoverDeviceImports } from '@postrider/maintenance';
import {
  type Database,
  type DeviceImport,
  DeviceImportsRepository,
  DevicesRepository,
  FILE_CHUNK_BYTES,
  ImportsRepository,
  inTransaction,
  type LineError,
  rows,
} from '@postrider/persistence';
import { createLogger, newId } from '@postrider/platform';
import { clockShowing, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { ImportDevices, type ImportDevicesOutcome } from './import-devices.service';
import type { StoredImportOptions } from './read-import-records';
import { ValidateRecords } from './validate-records.service';
import { WriteStretch } from './write-stretch.service';

const HOUR_MS = 3_600_000;
const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

/** A row of `installations`, as far as these tests look. */
interface StoredDevice {
  userId: string;
  token: string;
  tokenStatus: string | null;
  locale: string | null;
  osVersion: string | null;
  launchTime: Date;
  installDate: Date;
  tags: string[];
  tagValues: object;
  channels: string[];
  usableVendor: string | null;
  registration: object;
  updatedAt: Date;
}

describe('importing devices', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let files: DeviceImportsRepository;
  /** What FCM says of tokens; null: the application has no credentials. */
  let fcm: { asked: string[]; validate: (token: string, done: (outcome: SendOutcome) => void) => void } | null;

  function answer(outcomeOf: (token: string) => SendOutcome): void {
    const asked: string[] = [];
    fcm = {
      asked,
      validate: (token, done) => {
        asked.push(token);
        done(outcomeOf(token));
      },
    };
  }

  beforeEach(async () => {
    fcm = null;
    throwAway = await createThrowAwayDatabase(8);
    database = throwAway.dataSource;
    files = new DeviceImportsRepository(database);
    for (const app of ['shop', 'other']) {
      await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '')`, [app]);
    }
  });
  afterEach(() => throwAway.drop());

  async function upload(
    text: string | Buffer,
    format: ImportFormat,
    {
      kind = 'csv',
      appId = 'shop',
      ...options
    }: Partial<StoredImportOptions> & { kind?: ImportFileKind; appId?: string } = {},
  ): Promise<string> {
    const content = Buffer.from(text);
    const key = { appId, jobId: newId() };
    const now = new Date();
    const stored = { format, mapping: null, pushType: null, hasHeader: true, ...options };
    await files.insert(key, { kind, options: stored, createdAt: now, giveUpAt: now });
    for (let number = 0; number * FILE_CHUNK_BYTES < content.length; number++) {
      await files.insertChunk(
        key,
        number,
        content.subarray(number * FILE_CHUNK_BYTES, (number + 1) * FILE_CHUNK_BYTES),
      );
    }
    await files.start(key, { bytes: content.length, wakeAt: now });
    return key.jobId;
  }

  const service = (): ImportDevices =>
    new ImportDevices(
      logger,
      files,
      new ValidateRecords({ find: () => Promise.resolve(fcm) } as never, { retryTimeScale: 0 }),
      new WriteStretch(
        database,
        { retentionDays: 30 },
        systemClock,
        files,
        new ImportsRepository(new DevicesRepository(database)),
      ),
    );
  const turn = (
    jobId: string,
    signal = new AbortController().signal,
    appId = 'shop',
    mayWait = false,
  ): Promise<ImportDevicesOutcome> => service().work({ appId, jobId }, signal, mayWait);
  async function work(jobId: string, mayWait = false): Promise<{ job: DeviceImport; errors: LineError[] }> {
    while ((await turn(jobId, undefined, 'shop', mayWait)) === 'unfinished');
    const found = await files.findWithErrors({ appId: 'shop', jobId });
    if (!found) throw new Error('The job is gone');
    return found;
  }
  const importOf = async (...of: Parameters<typeof upload>): ReturnType<typeof work> => work(await upload(...of));
  const devices = (appId = 'shop'): Promise<StoredDevice[]> =>
    rows<StoredDevice>(
      database,
      `SELECT user_id AS "userId", token, token_status AS "tokenStatus", locale, os_version AS "osVersion",
         launch_time AS "launchTime", install_date AS "installDate", tags, tag_values AS "tagValues", channels,
         usable_vendor AS "usableVendor", registration, updated_at AS "updatedAt"
       FROM installations WHERE app_id = $1 ORDER BY token`,
      [appId],
    );
  const counts = ({ created, updated, unchanged, skipped, failed, lines, status }: DeviceImport): object => ({
    status,
    lines,
    created,
    updated,
    unchanged,
    skipped,
    failed,
  });

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
      { userId: 'ada', locale: 'de', tagValues: { team: 'red' } },
      { userId: 'bob', locale: 'fr' },
    ]);
    const before = await devices();
    expect(counts((await importOf(text, 'mapping', options)).job)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    });
    expect(await devices()).toEqual(before);
    // In another file, and with other facts.
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
    // A token that a vendor called dead stays switched off, and a device of somebody is no guest's.
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

  it('lets two files of the same devices in at once', async () => {
    const [one, other] = await Promise.all([
      importOf(list(4_000), 'tokens', FCM),
      importOf(list(4_000), 'tokens', FCM),
    ]);
    expect(one.job.created + other.job.created).toBe(4_000);
    expect(one.job.unchanged + other.job.unchanged + one.job.updated + other.job.updated).toBe(4_000);
    expect(await devices()).toHaveLength(4_000);
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
    await new RecoverDeviceImports(files, later, enqueuer as never, { sweepIntervalMs: 1 }).run();
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

  const VALIDATED = { pushType: 'fcm', hasHeader: false, validationRate: 1_000 } as const;
  const taken: SendOutcome = { kind: 'accepted', vendorMessageId: null };

  it('leaves out the tokens that FCM refuses, by their lines and with its code, and asks about each once', async () => {
    answer((token) =>
      token === 't2'
        ? { kind: 'token_invalid', code: 'UNREGISTERED', reason: 'Requested entity was not found.' }
        : taken,
    );
    const jobId = await upload('t1,ada\nt2,bob\nt1,ada\nt3,cleo\n', 'tokens', VALIDATED);
    // Whoever must not wait does not.
    expect(await turn(jobId)).toBe('validates');
    const { job, errors } = await work(jobId, true);
    expect(counts(job)).toMatchObject({ status: 'done', lines: 4, created: 2, updated: 1, failed: 1 });
    expect(job).toMatchObject({ validTokens: 3, invalidTokens: 1, unansweredTokens: 0, validationError: null });
    expect(errors).toEqual([{ line: 2, message: 'FCM refuses the token: UNREGISTERED' }]);
    expect(fcm?.asked).toEqual(['t1', 't2', 't3']);
    expect((await devices()).map(({ token }) => token)).toEqual(['t1', 't3']);
    expect(await rows(database, `SELECT user_id FROM users ORDER BY 1`)).toEqual([
      { user_id: 'ada' },
      { user_id: 'cleo' },
    ]);
  });

  it('imports the tokens that FCM gives no answer about, and says how many and why', async () => {
    answer((token) =>
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
    expect(fcm?.asked).toHaveLength(5);
    expect((await devices()).map(({ usableVendor }) => usableVendor)).toEqual(['fcm', 'fcm']);
    fcm = null;
    const without = await work(await upload('t3,ada\n', 'tokens', VALIDATED), true);
    expect(without.job).toMatchObject({ created: 1, unansweredTokens: 1 });
    expect(without.job.validationError).toMatch(/^no_sender: /);
  });

  it('asks nobody about tokens of other vendors', async () => {
    answer(() => ({ kind: 'token_invalid', code: 'UNREGISTERED', reason: 'gone' }));
    const { job } = await work(await upload('ab,ada\n', 'tokens', { ...VALIDATED, pushType: 'apns' }), true);
    expect(job).toMatchObject({ created: 1, validTokens: 0, invalidTokens: 0, unansweredTokens: 0 });
    expect(fcm?.asked).toEqual([]);
  });

  it('goes on behind what is written when a worker dies, and asks again only about a second of tokens', async () => {
    answer(() => taken);
    const options = { ...VALIDATED, validationRate: 10 };
    const jobId = await upload(list(30), 'tokens', options);
    const dying = new AbortController();
    const before = fcm?.validate;
    if (fcm)
      fcm.validate = (token, done) => {
        if (fcm?.asked.length === 14) dying.abort();
        before?.(token, done);
      };
    expect(await turn(jobId, dying.signal, 'shop', true)).toBe('unfinished');
    expect(await devices()).toHaveLength(10);
    const { job } = await work(jobId, true);
    expect(job).toMatchObject({ created: 30, validTokens: 30 });
    expect(fcm?.asked).toHaveLength(35);
  });
});

const FCM = { pushType: 'fcm', hasHeader: false } as const;
