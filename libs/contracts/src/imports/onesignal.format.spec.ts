import { readImported } from './read-imported';
import { importOptions, readDevice } from './testing/read-device';

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
    const { userId, registration, tags, tagValues, at } = readDevice(row, importOptions('onesignal'));
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

  it('has its play time, spending and badge as numbers, which segments compare', () => {
    const further = (more: object): unknown =>
      readDevice({ ...row, device_model: '', ...more }, importOptions('onesignal')).registration.registration;
    const numbers = { playtime: '5400', amount_spent: '12.50', badge_count: '-1' };
    expect(further(numbers)).toEqual({ playtime: 5_400, amountSpent: 12.5, badgeCount: -1 });
    expect(further({ playtime: 0, amount_spent: '0.0', badge_count: '' })).toEqual({ playtime: 0, amountSpent: 0 });
    const others = { playtime: '1e3', amount_spent: 'EUR 5', badge_count: '12345678901234567890' };
    expect(further(others)).toEqual({ playtime: '1e3', amountSpent: 'EUR 5', badgeCount: '12345678901234567890' });
  });

  it('says that somebody unsubscribed by a column `subscribed` too', () => {
    const statusOf = (subscribed: unknown): unknown =>
      readDevice({ ...row, subscribed }, importOptions('onesignal')).registration.tokenStatus;
    for (const mark of ['f', 'false', 'FALSE', 'no', '0', false]) expect(statusOf(mark)).toBe('DENIED');
    for (const mark of ['t', 'true', '1', '', undefined, null]) expect(statusOf(mark)).toBeNull();
  });

  it('of somebody who unsubscribed is imported as not allowed', () => {
    for (const mark of ['t', 'true', 'TRUE']) {
      const { registration } = readDevice({ ...row, invalid_identifier: mark }, importOptions('onesignal'));
      expect(registration.tokenStatus).toBe('DENIED');
    }
    expect(readImported({ ...row, identifier: '', invalid_identifier: 't' }, importOptions('onesignal'))).toEqual({
      skipped: 'has no token',
    });
  });

  it('of a browser has the keys in either base64', () => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const { registration } = readDevice(
        {
          identifier: 'https://push.example/x',
          device_type: '5',
          web_p256: P256DH.toString(encoding),
          web_auth: AUTH.toString(encoding),
        },
        importOptions('onesignal'),
      );
      const { endpoint, keys } = JSON.parse(registration.token);
      expect(endpoint).toBe('https://push.example/x');
      expect(Buffer.from(keys.auth, 'base64url')).toEqual(AUTH);
      expect(registration).toMatchObject({ pushType: 'webpush', deviceType: 'web' });
    }
    const bare = { identifier: 'https://push.example/x', device_type: '5' };
    expect(readImported(bare, importOptions('onesignal'))).toHaveProperty('problem');
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
    expect(readImported({ ...row, device_type }, importOptions('onesignal'))).toEqual({
      skipped: expect.stringContaining(word) as string,
    });
  });

  it('with a tag whose value is an object or a list tells of that tag, and has the others', () => {
    const tags = JSON.stringify({ vip: 'yes', address: { city: 'Graz' }, sizes: [], gone: null });
    expect(readImported({ ...row, tags }, importOptions('onesignal'))).toMatchObject({
      device: { tags: ['vip'], tagValues: { vip: 'yes' } },
      notice:
        'tags.address must be text, a number or true or false; tags.sizes must be text, a number or true or false; ' +
        'the device is imported without them',
    });
  });

  it('with tags that cannot be read is a device that tells of them', () => {
    const readingOf = (tags: string): unknown => readImported({ ...row, tags }, importOptions('onesignal'));
    for (const tags of ['{"plan":', '{"a"=>"1"}', '[1]', 'gold'])
      expect(readingOf(tags)).toMatchObject({
        device: { userId: 'ada', tags: [] },
        notice: 'tags must be a JSON object; the device is imported without it',
      });
    for (const tags of ['', '{}', '[]', 'null'])
      expect(readingOf(tags)).toMatchObject({ device: { tags: [] }, notice: null });
  });

  it('has a place as two numbers or as JSON', () => {
    const placeOf = (location: string): unknown =>
      readDevice({ ...row, location }, importOptions('onesignal')).registration;
    const noticeOf = (location: string): unknown => readImported({ ...row, location }, importOptions('onesignal'));
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
    const problemOf = (device_type?: string): unknown =>
      readImported({ ...row, device_type }, importOptions('onesignal'));
    expect(problemOf()).toEqual({ problem: 'device_type is missing' });
    expect(problemOf('99')).toEqual({ problem: 'device_type 99 is not known' });
  });
});
