import { readImported } from './read-imported';
import { importOptions, readDevice } from './testing/read-device';

const SUBSCRIPTION = {
  endpoint: 'https://push.example/x',
  keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') },
};

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
    const how = importOptions(format, format === 'mapping' ? { mapping } : { pushType: 'fcm' });
    expect(readImported(record, how)).toEqual({ problem: expect.stringMatching(/ must be /) as string });
    expect(readImported(record, how)).toHaveProperty('problem', expect.stringContaining(`${column} `));
  });
});

describe("a token of Expo's push service", () => {
  const token = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]';
  const told = 'is a token of Expo, which only Expo can send to; import the token of FCM or APNs';
  it.each([
    ['tokens', 'token (deviceToken)', { token, userId: 'ada' }],
    ['tokens', 'token (deviceToken)', { token: 'ExpoPushToken[xxxxxxxxxxxxxxxxxxxxxx]' }],
    ['parse', 'deviceToken', { deviceType: 'android', deviceToken: token }],
    ['mapping', 't (deviceToken)', { t: token }],
  ] as const)('is an error of its record: %s', (format, column, record) => {
    const mapping = { deviceToken: { column: 't' } };
    const how = importOptions(format, { pushType: 'fcm', ...(format === 'mapping' && { mapping }) });
    expect(readImported(record, how)).toEqual({ problem: expect.stringContaining(`${column} ${told}`) as string });
  });
});

describe('a token of FCM in a list of APNs tokens', () => {
  const token = `cXQ0dGVzdHRva2VuMTIzNA:APA91b${'x1'.repeat(60)}`;
  it('is an error of its record, and a device with the push type of FCM', () => {
    const problem = 'token (deviceToken) is a token of FCM; import it with the push type fcm';
    expect(readImported({ token }, importOptions('tokens', { pushType: 'apns' }))).toEqual({ problem });
    expect(readDevice({ token }, importOptions('tokens', { pushType: 'fcm' })).registration.pushType).toBe('fcm');
  });
});

describe('a user id that is a number', () => {
  const records = [
    ['tokens', 'user_id', (id: unknown) => ({ token: 't1', user_id: id })],
    ['webpush', 'userId', (id: unknown) => ({ ...SUBSCRIPTION, userId: id })],
    ['pinpoint', 'User.UserId', (id: unknown) => ({ ChannelType: 'GCM', Address: 't1', User: { UserId: id } })],
    ['parse', 'userId', (id: unknown) => ({ deviceType: 'android', deviceToken: 't1', userId: id })],
  ] as const;

  it.each(records)('is the text of its digits: %s', (format, _column, recordOf) => {
    const how = importOptions(format, { pushType: 'fcm' });
    expect(readDevice(recordOf(42), how).userId).toBe('42');
    expect(readDevice(recordOf(Number.MAX_SAFE_INTEGER), how).userId).toBe('9007199254740991');
    expect(readDevice(recordOf('9007199254740993'), how).userId).toBe('9007199254740993');
  });

  it.each(records)('is an error of its record if JSON may have changed its digits: %s', (format, column, recordOf) => {
    const how = importOptions(format, { pushType: 'fcm' });
    for (const digits of ['9007199254740993', '1.10', '1e400']) {
      const problem = expect.stringContaining(
        `${column}${column === 'userId' ? '' : ' (userId)'} must be text`,
      ) as string;
      expect(readImported(recordOf(JSON.parse(digits)), how)).toEqual({ problem });
    }
  });

  it('does not matter if a mapping names another column', () => {
    const mapping = { userId: { column: 'customer' } };
    const record = { token: 't1', userId: 2 ** 60, customer: 'ada' };
    expect(readDevice(record, importOptions('tokens', { pushType: 'fcm', mapping })).userId).toBe('ada');
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
  const how = importOptions('mapping', { mapping: columns, pushType: 'fcm' });
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
    expect(readDevice({ ...row, N: '95', E: '5' }, how).registration).toMatchObject({
      latitude: null,
      longitude: null,
    });
    expect(noticeOf({ Lang: { nl: true } }, { ...how, nameOf: (column) => `column ${column}` })).toMatch(
      /^column Lang \(locale\) must be text/,
    );
  });

  it('never makes a line newer than it is', () => {
    for (const time of ['02/11/2025', '1.7E+09', 'yesterday']) {
      const { at, registration } = readDevice({ ...row, 'Seen at': time }, how);
      expect({ at, launchTime: registration.launchTime }).toEqual({ at: null, launchTime: null });
      expect(noticeOf({ 'Seen at': time })).toMatch(/^Seen at \(launchTime\) must be a time: seconds or /);
      expect(readDevice({ ...row, 'Seen at': time, Since: '2025-01-01' }, how).at).toEqual(new Date('2025-01-01'));
    }
    const cameAt = Date.parse('2026-05-01T00:00:00Z');
    expect(noticeOf({ 'Seen at': '2026-05-01 14:00:00' }, { ...how, cameAt })).toBeNull();
    expect(noticeOf({ 'Seen at': '2026-05-03' }, { ...how, cameAt })).toMatch(/is more than a day after the upload/);
    expect(readDevice({ ...row, 'Seen at': '2026-05-03' }, { ...how, cameAt }).at).toBeNull();
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
    expect(readImported({ ...onesignal, session_count: 'x' }, importOptions('onesignal'))).toHaveProperty(
      'notice',
      expect.stringMatching(/^session_count \(launchCount\) must be /),
    );
    const nameOf = (column: string): string => column.toUpperCase();
    expect(readImported({ ...onesignal, device_type: '99' }, importOptions('onesignal', { nameOf }))).toEqual({
      problem: 'DEVICE_TYPE 99 is not known',
    });
    const pinpoint = { ChannelType: 'GCM', Address: 't1', 'Location.Latitude': 'north', 'Location.Longitude': '5' };
    expect(readImported(pinpoint, importOptions('pinpoint'))).toHaveProperty(
      'notice',
      expect.stringMatching(/^Location\.Latitude \(location\.lat\) must be /),
    );
    const parse = { deviceType: 'ios', deviceToken: 'ab', updatedAt: { $date: 'soon' } };
    expect(readImported(parse, importOptions('parse'))).toHaveProperty(
      'notice',
      expect.stringMatching(/^updatedAt \(launchTime\) must be a time/),
    );
    const filled = { deviceType: 'ios', deviceToken: 'ab', note: 'x'.repeat(20_000) };
    expect(readImported(filled, importOptions('parse'))).toMatchObject({
      device: { registration: { registration: {} } },
      notice:
        'the further fields must not hold more than 16384 bytes in further fields; the device is imported without it',
    });
  });
});

describe('a type that is the name of something that every object has', () => {
  it.each(['constructor', '__proto__', 'toString'])('is not known: %s', (type) => {
    const token = 'fX2k:abc';
    expect(readImported({ identifier: token, device_type: type }, importOptions('onesignal'))).toEqual({
      problem: `device_type ${type} is not known`,
    });
    expect(readImported({ deviceToken: token, deviceType: type.toLowerCase() }, importOptions('parse'))).toEqual({
      skipped: `a device of type ${type.toLowerCase()} cannot be reached`,
    });
    expect(readImported({ Address: token, ChannelType: type }, importOptions('pinpoint'))).toEqual({
      skipped: `${type.toUpperCase()} is not a push service that can be used`,
    });
  });
});
