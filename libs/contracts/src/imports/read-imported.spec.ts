import type { ImportFormat } from '@postrider/domain';
import { recogniseValue } from './import-formats';
import { readMapping } from './import-mapping';
import { momentOf } from './import-draft';
import { type ImportedDevice, type ImportOptions, readImported } from './read-imported';

const options = (format: ImportFormat, more: Partial<ImportOptions> = {}): ImportOptions => ({
  format,
  mapping: null,
  pushType: null,
  ...more,
});
function read(record: Record<string, unknown>, how: ImportOptions): ImportedDevice {
  const reading = readImported(record, how);
  if (!('device' in reading)) throw new Error(JSON.stringify(reading));
  return reading.device;
}
const P256DH = Buffer.alloc(65, 4);
const AUTH = Buffer.alloc(16, 0xfb);

describe('a row of OneSignal', () => {
  const row = {
    id: '1',
    identifier: 'fX2k:abc',
    device_type: '1',
    session_count: '7',
    language: 'nl',
    timezone: '3600',
    device_os: '13',
    device_model: 'Pixel',
    game_version: '2.4.0',
    tags: '{"plan":"gold","vip":"","level":"3"}',
    last_active: '2026-05-01 09:00:00 UTC',
    created_at: '1700000000',
    invalid_identifier: 'f',
    external_user_id: 'ada',
  };

  it('is a device with its user, tags, language, zone and times', () => {
    const { userId, registration, tags, tagValues, at } = read(row, options('onesignal'));
    expect({ userId, tags, tagValues, at }).toEqual({
      userId: 'ada',
      tags: ['plan', 'vip', 'level'],
      tagValues: { plan: 'gold', level: '3' },
      at: new Date('2026-05-01T09:00:00Z'),
    });
    expect(registration).toMatchObject({
      pushType: 'fcm',
      token: 'fX2k:abc',
      deviceType: 'android',
      tokenStatus: null,
      osVersion: '13',
      clientVersion: '2.4.0',
      launchCount: 7,
      launchTime: new Date('2026-05-01T09:00:00Z'),
      installDate: new Date('2023-11-14T22:13:20Z'),
      locale: 'nl',
      timeZone: 'Etc/GMT-1',
      registration: { deviceModel: 'Pixel' },
    });
  });

  it('of somebody who unsubscribed is imported as not allowed', () => {
    for (const mark of ['t', 'true', 'TRUE']) {
      const { registration } = read({ ...row, invalid_identifier: mark }, options('onesignal'));
      expect(registration.tokenStatus).toBe('DENIED');
    }
    expect(readImported({ ...row, identifier: '', invalid_identifier: 't' }, options('onesignal'))).toEqual({
      skipped: 'has no token',
    });
  });

  it('of a browser has the keys in either base64', () => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const { registration } = read(
        {
          identifier: 'https://push.example/x',
          device_type: '5',
          web_p256: P256DH.toString(encoding),
          web_auth: AUTH.toString(encoding),
        },
        options('onesignal'),
      );
      const { endpoint, keys } = JSON.parse(registration.token);
      expect(endpoint).toBe('https://push.example/x');
      expect(Buffer.from(keys.auth, 'base64url')).toEqual(AUTH);
      expect(registration).toMatchObject({ pushType: 'webpush', deviceType: 'web' });
    }
    const bare = { identifier: 'https://push.example/x', device_type: '5' };
    expect(readImported(bare, options('onesignal'))).toHaveProperty('problem');
  });

  it.each([
    ['2', 'Amazon'],
    ['3', 'Windows'],
    ['4', 'Chrome apps'],
    ['6', 'Windows'],
    ['10', 'Alexa'],
    ['WindowsPush', 'Windows'],
    ['11', 'e-mail'],
    ['14', 'phone'],
  ])('of type %s is skipped', (device_type, word) => {
    expect(readImported({ ...row, device_type }, options('onesignal'))).toEqual({
      skipped: expect.stringContaining(word) as string,
    });
  });

  it('with tags that cannot be read is a device that tells of them', () => {
    const readingOf = (tags: string): unknown => readImported({ ...row, tags }, options('onesignal'));
    for (const tags of ['{"plan":', '{"a"=>"1"}', '[1]', 'gold'])
      expect(readingOf(tags)).toMatchObject({
        device: { userId: 'ada', tags: [] },
        notice: 'tags must be a JSON object; the device is imported without it',
      });
    for (const tags of ['', '{}', '[]', 'null'])
      expect(readingOf(tags)).toMatchObject({ device: { tags: [] }, notice: null });
  });

  it('has a place as two numbers or as JSON', () => {
    const placeOf = (location: string): unknown => read({ ...row, location }, options('onesignal')).registration;
    const noticeOf = (location: string): unknown => readImported({ ...row, location }, options('onesignal'));
    for (const location of [
      '52.1, 5.1',
      '(52.1,5.1)',
      '{"lat":52.1,"long":5.1}',
      '{"lat":"52.1","lng":"5.1"}',
      '{"lat":52.1,"lon":5.1}',
    ])
      expect(placeOf(location)).toMatchObject({ latitude: 52.1, longitude: 5.1 });
    for (const location of ['{"lat":52.1}', '(52.1,5.1', '((52.1,5.1))', '{"lat":"x","lng":1}', 'Utrecht']) {
      expect(placeOf(location)).toMatchObject({ latitude: null, longitude: null });
      expect(noticeOf(location)).toHaveProperty('notice', expect.stringMatching(/^location must be a place: /));
    }
  });

  it('without a type, or of one that is not known, is wrong', () => {
    const problemOf = (device_type?: string): unknown => readImported({ ...row, device_type }, options('onesignal'));
    expect(problemOf()).toEqual({ problem: 'device_type is missing' });
    expect(problemOf('99')).toEqual({ problem: 'device_type 99 is not known' });
  });
});

describe('an installation of Parse', () => {
  it('is the same from REST, from mongoexport in either form, and from CSV', () => {
    const rest = {
      objectId: 'x',
      deviceType: 'ios',
      deviceToken: 'ABCDEF01',
      channels: ['', 'News'],
      timeZone: 'Europe/Paris',
      localeIdentifier: 'fr-FR',
      appVersion: '2',
      badge: 3,
      installationId: 'i',
      user: { __type: 'Pointer', className: '_User', objectId: 'u1' },
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: { __type: 'Date', iso: '2026-02-01T00:00:00.000Z' },
    };
    const shared = { deviceType: 'ios', deviceToken: 'ABCDEF01', channels: ['', 'News'] };
    const more = { timeZone: 'Europe/Paris', localeIdentifier: 'fr-FR', appVersion: '2', installationId: 'i' };
    const relaxed = {
      ...shared,
      ...more,
      badge: 3,
      _id: 'x',
      _p_user: '_User$u1',
      _created_at: { $date: '2026-01-01T00:00:00Z' },
      _updated_at: { $date: '2026-02-01T00:00:00Z' },
    };
    const canonical = {
      ...relaxed,
      badge: { $numberInt: '3' },
      _created_at: { $date: { $numberLong: '1767225600000' } },
      _updated_at: { $date: { $numberLong: '1769904000000' } },
    };
    const csv = {
      ...shared,
      ...more,
      badge: '3',
      channels: '["","News"]',
      user: '{"__type":"Pointer","className":"_User","objectId":"u1"}',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-02-01T00:00:00.000Z',
    };
    const first = read(rest, options('parse'));
    expect(first).toMatchObject({
      userId: 'u1',
      at: new Date('2026-02-01T00:00:00Z'),
      registration: {
        pushType: 'apns',
        token: 'abcdef01',
        channels: ['public/News'],
        locale: 'fr-FR',
        installDate: new Date('2026-01-01T00:00:00Z'),
        registration: { badge: 3, parseInstallationId: 'i' },
      },
    });
    for (const record of [relaxed, canonical, csv]) {
      const further = read(record, options('parse')).registration.registration;
      // CSV has texts alone.
      expect(record === csv ? { ...further, badge: 3 } : further).toEqual(first.registration.registration);
      const same = { ...read(record, options('parse')), registration: null };
      expect(same).toEqual({ ...first, registration: null });
    }
  });

  it('of Parse belongs to the user of its pointer, or else of its userId', () => {
    const record = { deviceType: 'android', deviceToken: 'ab', userId: 'ada' };
    expect(read(record, options('parse'))).toMatchObject({ userId: 'ada', registration: { registration: {} } });
    const user = { __type: 'Pointer', className: '_User', objectId: 'u1' };
    expect(read({ ...record, user }, options('parse')).userId).toBe('u1');
    expect(read({ ...record, _p_user: '_User$u1' }, options('parse')).userId).toBe('u1');
  });

  it('has the numbers of the canonical form as numbers, unless a number would change their digits', () => {
    const record = {
      deviceType: 'ios',
      deviceToken: 'ab',
      visits: { $numberLong: '17' },
      score: { $numberDouble: '1.5' },
      spent: { $numberDecimal: '9.99' },
      order: { $numberLong: '9007199254740993' },
      ratio: { $numberDouble: 'NaN' },
    };
    expect(read(record, options('parse')).registration.registration).toEqual({
      visits: 17,
      score: 1.5,
      spent: 9.99,
      order: '9007199254740993',
      ratio: 'NaN',
    });
  });

  it('with a channel that cannot be read is a device that tells of it', () => {
    const record = { deviceType: 'android', deviceToken: 't' };
    const readingOf = (channels: unknown): unknown => readImported({ ...record, channels }, options('parse'));
    for (const channels of [['news', 'a b'], ['news', 5], '["news", null]'])
      expect(readingOf(channels)).toMatchObject({
        device: { registration: { channels: ['public/news'] } },
        notice: expect.stringMatching(/^channels \(subscriptions\) must be an array of channel names: /) as string,
      });
    expect(readingOf('news')).toMatchObject({
      device: { registration: { channels: null } },
      notice: expect.any(String) as string,
    });
    for (const channels of [undefined, null, '', [], [''], '[""]', ['news']])
      expect(readingOf(channels)).toMatchObject({ notice: null });
  });

  it('pushes by gcm where it says so, and is skipped without a token', () => {
    const android = { deviceType: 'android', deviceToken: 't', pushType: 'gcm' };
    expect(read(android, options('parse'))).toMatchObject({ userId: null, registration: { pushType: 'fcm' } });
    expect(readImported({ deviceType: 'ios' }, options('parse'))).toEqual({ skipped: 'has no token' });
  });
});

describe('a token that is not text', () => {
  const arn = 'arn:aws:sns:eu-west-1:1:endpoint/GCM/shop/0a';
  it.each([
    ['parse', { deviceType: 'android', deviceToken: 12345678901234567000 }, 'deviceToken'],
    ['parse', { deviceType: 'ios', deviceToken: { $numberLong: '12345678901234567890' } }, 'deviceToken'],
    ['parse', { deviceType: 'ios', deviceToken: true }, 'deviceToken'],
    ['tokens', { token: 123, userId: 'ada' }, 'token'],
    ['sns', { EndpointArn: arn, Attributes: { Enabled: 'true', Token: 123 } }, 'Attributes.Token'],
    ['pinpoint', { ChannelType: 'GCM', Address: 123 }, 'Address'],
    ['onesignal', { device_type: 1, identifier: 123 }, 'identifier'],
    ['mapping', { t: 123 }, 't (deviceToken)'],
  ] as const)('is an error of its record: %s %j', (format, record, column) => {
    const mapping = { deviceToken: { column: 't' }, pushType: { value: 'fcm' } };
    const how = options(format, format === 'mapping' ? { mapping } : { pushType: 'fcm' });
    expect(readImported(record, how)).toEqual({ problem: expect.stringMatching(/ must be /) as string });
    expect(readImported(record, how)).toHaveProperty('problem', expect.stringContaining(`${column} `));
  });
});

describe('endpoints of AWS', () => {
  it('of SNS have their platform in the ARN, and name a user only by a mapping', () => {
    const endpoint = (platform: string, attributes: object): Record<string, unknown> => ({
      EndpointArn: `arn:aws:sns:eu-west-1:1:endpoint/${platform}/shop/0a`,
      Attributes: attributes,
    });
    const phone = endpoint('GCM', { Enabled: 'true', Token: 't', CustomUserData: 'ada' });
    expect(read(phone, options('sns'))).toMatchObject({
      userId: null,
      registration: { pushType: 'fcm', tokenStatus: null },
    });
    for (const column of ['Attributes.CustomUserData', 'CustomUserData']) {
      expect(read(phone, options('sns', { mapping: { userId: { column } } })).userId).toBe('ada');
    }
    const off = endpoint('APNS_SANDBOX', { Enabled: 'false', Token: 'AB' });
    expect(read(off, options('sns')).registration).toMatchObject({
      tokenStatus: 'DENIED',
      token: 'ab',
      pushType: 'apns',
    });
    for (const platform of ['ADM', 'BAIDU']) {
      expect(readImported(endpoint(platform, { Token: 't' }), options('sns'))).toHaveProperty('skipped');
    }
  });

  it('of Pinpoint come as objects, or as rows whose columns have dots', () => {
    const object = {
      ChannelType: 'APNS',
      Address: 'AB',
      EndpointStatus: 'ACTIVE',
      OptOut: 'ALL',
      Location: { Country: 'NL', Latitude: 52.1, Longitude: 5.1 },
      Demographic: { AppVersion: '1.2', Locale: 'nl_NL', Timezone: 'Europe/Amsterdam', PlatformVersion: '17' },
      EffectiveDate: '2026-05-01T09:00:00.000Z',
      Attributes: { team: ['Ajax'] },
      User: { UserId: 'ada' },
    };
    const row = {
      ChannelType: 'APNS',
      Address: 'AB',
      EndpointStatus: 'ACTIVE',
      OptOut: 'ALL',
      'Location.Country': 'NL',
      'Location.Latitude': '52.1',
      'Location.Longitude': '5.1',
      'Demographic.AppVersion': '1.2',
      'Demographic.Locale': 'nl_NL',
      'Demographic.Timezone': 'Europe/Amsterdam',
      'Demographic.PlatformVersion': '17',
      EffectiveDate: '2026-05-01T09:00:00.000Z',
      'Attributes.team': '["Ajax"]',
      'User.UserId': 'ada',
    };
    const device = read(object, options('pinpoint'));
    expect(device).toMatchObject({
      userId: 'ada',
      attributes: { team: ['Ajax'] },
      registration: {
        token: 'ab',
        tokenStatus: 'DENIED',
        latitude: 52.1,
        timeZone: 'Europe/Amsterdam',
        osVersion: '17',
      },
    });
    expect(read(row, options('pinpoint'))).toEqual(device);
    const carried = { ...object, Attributes: { team: ['Ajax'] }, Metrics: { visits: 3, score: 1.5 } };
    const told = read(
      { ...carried, User: { UserId: 'ada', UserAttributes: { age: ['7'], pets: ['cat', 'dog'] } } },
      options('pinpoint'),
    );
    expect(told.attributes).toEqual({ visits: 3, score: 1.5, team: ['Ajax'], age: ['7'], pets: ['cat', 'dog'] });
    const columns = { 'Attributes.team': 'Ajax', 'Metrics.visits': '3', 'Metrics.score': '1.5' };
    const ofUser = { 'User.UserAttributes.age': '7', 'User.UserAttributes.pets': '["cat","dog"]' };
    expect(read({ ...row, ...columns, ...ofUser }, options('pinpoint'))).toEqual(told);
    for (const ChannelType of ['EMAIL', 'SMS', 'VOICE', 'ADM', 'APNS_VOIP']) {
      expect(readImported({ ...object, ChannelType }, options('pinpoint'))).toHaveProperty('skipped');
    }
  });
});

describe('lists', () => {
  const subscription = {
    endpoint: 'https://push.example/x',
    expirationTime: null,
    keys: { p256dh: P256DH.toString('base64url'), auth: AUTH.toString('base64url') },
  };

  it('of subscriptions have their user beside them or within, and come as text too', () => {
    const forms = [
      { ...subscription, userId: 'ada' },
      { subscription, userId: 'ada' },
      { subscription: JSON.stringify(subscription), userId: 'ada' },
      { subscription: { ...subscription, userId: 'ada' } },
    ];
    for (const form of forms) {
      expect(read(form, options('webpush'))).toMatchObject({ userId: 'ada', registration: { pushType: 'webpush' } });
    }
    expect(read({ subscription: JSON.stringify(subscription) }, options('webpush')).userId).toBeNull();
    expect(readImported({ endpoint: 'https://push.example/x' }, options('webpush'))).toHaveProperty('problem');
    expect(readImported({ userId: 'ada', subscription: null }, options('webpush'))).toEqual({
      skipped: 'has no token',
    });
  });

  it('of tokens are in any case for APNs', () => {
    const apns = options('tokens', { pushType: 'apns' });
    for (const token of ['0A1B2C3D', '0a1b2c3d', '<0a1b 2c3d>']) {
      expect(read({ 1: token, 2: 'ada' }, apns)).toMatchObject({ userId: 'ada', registration: { token: '0a1b2c3d' } });
    }
    expect(readImported({ token: 'a b' }, options('tokens', { pushType: 'fcm' }))).toHaveProperty('problem');
    expect(readImported({ userId: 'ada' }, options('tokens', { pushType: 'fcm' }))).toEqual({
      skipped: 'has no token',
    });
  });
});

describe('a mapping', () => {
  it('says what columns hold, and what is the same for all', () => {
    const sent = {
      deviceToken: 'push',
      deviceType: { value: 'android' },
      userId: 3,
      launchTime: 'seen',
      'tags.plan': 'plan',
      'tags.vip': 'vip',
      'tags.old': 'old',
      'attributes.age': 'age',
      'location.lat': 'la',
      'location.lng': 'lo',
    };
    const reading = readMapping(JSON.stringify(sent));
    if (!('value' in reading)) throw new Error(JSON.stringify(reading));
    const record = {
      push: 't1',
      3: 'ada',
      seen: '1700000000',
      plan: 'gold',
      vip: 'true',
      old: 'no',
      age: '7',
      la: '1',
      lo: '2',
    };
    const device = read(record, options('mapping', { mapping: reading.value }));
    expect(device).toMatchObject({
      userId: 'ada',
      tags: ['plan', 'vip'],
      tagValues: { plan: 'gold' },
      attributes: { age: '7' },
      at: new Date(1_700_000_000_000),
      registration: { token: 't1', pushType: 'fcm', latitude: 1, longitude: 2 },
    });
  });

  it('takes nothing that no database can store', () => {
    const mapping = { deviceToken: { column: 't' }, note: { column: 'note' }, 'attributes.a': { column: 'a' } };
    const how = options('mapping', { mapping, pushType: 'fcm' });
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) deep = { $date: deep };
    for (const bad of [
      { note: 'a\0b' },
      { note: { x: ['\ud800'] } },
      { a: 'a\0b' },
      { note: { '\0': 1 } },
      { note: deep },
    ]) {
      expect(readImported({ t: 't1', ...bad }, how)).toMatchObject({
        device: { registration: { token: 't1', registration: {} }, attributes: {} },
        notice: expect.stringMatching(/^(?:note|a \(attributes\.a\)) .*; the device is imported without it$/) as string,
      });
    }
    expect(readImported({ t: 't\0x' }, how)).toEqual({ problem: 't (deviceToken) holds NUL or half a character' });
    expect(readImported({ deviceType: 'ios', deviceToken: deep }, options('parse'))).toHaveProperty('problem');
    expect(readImported({ t: 't1', note: { x: ['fine \u{1F600}'] } }, how)).toHaveProperty('notice', null);
  });

  it('is refused with the field that is wrong', () => {
    expect(readMapping('x')).toHaveProperty('problem');
    expect(readMapping('{"userId":{},"__proto__x":"a","id":"b","osVersion":"os"}')).toEqual({
      problems: [
        { path: '.userId', message: expect.any(String) as string },
        { path: '.__proto__x', message: expect.any(String) as string },
        { path: '.id', message: expect.any(String) as string },
      ],
    });
  });
});

describe('a file', () => {
  it('is known by the members of its first object', () => {
    expect(recogniseValue({ endpointarn: 'a' })).toBeNull();
    expect(recogniseValue({ EndpointArn: 'a', Attributes: {} })).toBe('sns');
    expect(recogniseValue({ endpoint: 'https://x', keys: {} })).toBe('webpush');
    expect(recogniseValue('{"endpoint":"x"}')).toBe('webpush');
    expect(recogniseValue([1])).toBeNull();
  });

  it('has times as seconds, milliseconds or text', () => {
    const moment = new Date('2026-05-01T09:00:00Z');
    for (const text of [
      1_777_626_000,
      '1777626000000',
      '2026-05-01T09:00:00Z',
      '2026-05-01 09:00:00',
      '2026/05/01 09:00',
      '2026-05-01 11:00:00+02',
      '2026-05-01 09:00:00 +0000 UTC',
      '2026-05-01T11:00:00.000+0200',
    ]) {
      expect(momentOf(text)).toEqual(moment);
    }
    for (const [text, said] of [
      ['1.7305E+09', '2024-11-01T22:26:40.000Z'],
      ['1.73051e+12', '2024-11-02T01:13:20.000Z'],
      ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ]) {
      expect(momentOf(text)).toEqual(new Date(said ?? ''));
    }
    for (const none of ['', ' ', 0, '0', null, undefined, 'NULL', '\\N', '0000-00-00 00:00:00'])
      expect(momentOf(none)).toBeNull();
    for (const said of ['2024-02-29 23:59:59', '1970-01-01T00:00:01', '9999-12-31 00:00:00'])
      expect(momentOf(said)).toEqual(new Date(`${said.replace(' ', 'T')}Z`));
    for (const other of ['2026-02-29 09:00:00', '2026-05-01 25:00:00', '2026-05-01 09:60:00', '2026-05-01 09:00:0x'])
      expect(momentOf(other)).toBe('unreadable');
    // With two digits it may be any day of half a year; the month is ambiguous; 2026 has no 29 February.
    for (const other of ['1.7E+09', '02/11/2025', '2026-02-29', '2026-13-01', 'soon', '-5', {}, ['2026-05-01'], true])
      expect(momentOf(other)).toBe('unreadable');
  });
});

describe('a value that cannot be read', () => {
  const columns = {
    deviceToken: { column: 'Push' },
    userId: { column: 'Customer' },
    launchTime: { column: 'Seen at' },
    installDate: { column: 'Since' },
    launchCount: { column: 'Opened' },
    locale: { column: 'Lang' },
    'location.lat': { column: 'N' },
    'location.lng': { column: 'E' },
    'tags.plan': { column: 'Plan' },
    deviceType: { value: 'android' },
  };
  const row = { Push: 't1', Customer: 'ada', Lang: 'nl', Plan: 'gold' };
  const how = options('mapping', { mapping: columns, pushType: 'fcm' });
  const noticeOf = (more: object, as = how): unknown => {
    const reading = readImported({ ...row, ...more }, as);
    if (!('device' in reading)) throw new Error(JSON.stringify(reading));
    expect(reading.device).toMatchObject({ userId: 'ada', registration: { token: 't1' } });
    return reading.notice;
  };

  it('is left out, and told by the column of the file and the field', () => {
    expect(noticeOf({})).toBeNull();
    expect(noticeOf({ Opened: 'often' })).toBe(
      'Opened (launchCount) must be a whole number from 0 to 9007199254740991; the device is imported without it',
    );
    expect(noticeOf({ Lang: 'x'.repeat(256), Plan: 'y'.repeat(256) })).toBe(
      'Lang (locale) must be text of at most 255 characters; ' +
        'Plan (tags.plan) must be 1 to 255 characters, and so its value; the device is imported without them',
    );
    expect(noticeOf({ N: '95', E: '5' })).toBe(
      'N (location.lat) must be a number from -90 to 90; the device is imported without it',
    );
    expect(read({ ...row, N: '95', E: '5' }, how).registration).toMatchObject({ latitude: null, longitude: null });
    expect(noticeOf({ Lang: { nl: true } }, { ...how, nameOf: (column) => `column ${column}` })).toMatch(
      /^column Lang \(locale\) must be text/,
    );
  });

  it('never makes a line newer than it is', () => {
    for (const time of ['02/11/2025', '1.7E+09', 'yesterday']) {
      const { at, registration } = read({ ...row, 'Seen at': time }, how);
      expect({ at, launchTime: registration.launchTime }).toEqual({ at: null, launchTime: null });
      expect(noticeOf({ 'Seen at': time })).toMatch(/^Seen at \(launchTime\) must be a time: seconds or /);
      expect(read({ ...row, 'Seen at': time, Since: '2025-01-01' }, how).at).toEqual(new Date('2025-01-01'));
    }
    const cameAt = Date.parse('2026-05-01T00:00:00Z');
    expect(noticeOf({ 'Seen at': '2026-05-01 14:00:00' }, { ...how, cameAt })).toBeNull();
    expect(noticeOf({ 'Seen at': '2026-05-03' }, { ...how, cameAt })).toMatch(/is more than a day after the upload/);
    expect(read({ ...row, 'Seen at': '2026-05-03' }, { ...how, cameAt }).at).toBeNull();
  });

  it('costs the device where nobody could be pushed to without it', () => {
    expect(readImported({ ...row, Push: 'a b' }, how)).toEqual({
      problem: 'Push (deviceToken) must be text of 1 to 4096 ASCII characters without blanks',
    });
    expect(readImported({ ...row, Customer: 'x'.repeat(256) }, how)).toHaveProperty('problem');
    expect(readImported({ ...row, Push: '' }, how)).toEqual({ skipped: 'has no token' });
    const mapping = { ...columns, pushType: { column: 'Via' } };
    expect(readImported({ ...row, Via: 'pigeon' }, { ...how, mapping })).toEqual({
      problem: expect.stringMatching(/^Via \(pushType\) must be one of fcm, /) as string,
    });
  });

  it('is told by the column of a known format too', () => {
    const onesignal = { identifier: 't1', device_type: '1', external_id: 'ada' };
    expect(readImported({ ...onesignal, session_count: 'x' }, options('onesignal'))).toHaveProperty(
      'notice',
      expect.stringMatching(/^session_count \(launchCount\) must be /),
    );
    const nameOf = (column: string): string => column.toUpperCase();
    expect(readImported({ ...onesignal, device_type: '99' }, options('onesignal', { nameOf }))).toEqual({
      problem: 'DEVICE_TYPE 99 is not known',
    });
    const pinpoint = { ChannelType: 'GCM', Address: 't1', 'Location.Latitude': 'north', 'Location.Longitude': '5' };
    expect(readImported(pinpoint, options('pinpoint'))).toHaveProperty(
      'notice',
      expect.stringMatching(/^Location\.Latitude \(location\.lat\) must be /),
    );
    const parse = { deviceType: 'ios', deviceToken: 'ab', updatedAt: { $date: 'soon' } };
    expect(readImported(parse, options('parse'))).toHaveProperty(
      'notice',
      expect.stringMatching(/^updatedAt \(launchTime\) must be a time/),
    );
    const filled = { deviceType: 'ios', deviceToken: 'ab', note: 'x'.repeat(20_000) };
    expect(readImported(filled, options('parse'))).toMatchObject({
      device: { registration: { registration: {} } },
      notice:
        'the further fields must not hold more than 16384 bytes in further fields; the device is imported without it',
    });
  });
});

describe('a type that is the name of something that every object has', () => {
  it.each(['constructor', '__proto__', 'toString'])('is not known: %s', (type) => {
    const token = 'fX2k:abc';
    expect(readImported({ identifier: token, device_type: type }, options('onesignal'))).toEqual({
      problem: `device_type ${type} is not known`,
    });
    expect(readImported({ deviceToken: token, deviceType: type.toLowerCase() }, options('parse'))).toEqual({
      skipped: `a device of type ${type.toLowerCase()} cannot be reached`,
    });
    expect(readImported({ Address: token, ChannelType: type }, options('pinpoint'))).toEqual({
      skipped: `${type.toUpperCase()} is not a push service that can be used`,
    });
  });
});
