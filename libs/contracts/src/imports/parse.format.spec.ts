import { hasMappedColumn, type ImportOptions, readImported, type ImportReading } from './read-imported';
import { importOptions, readDevice } from './testing/read-device';

describe('an installation of Parse', () => {
  it('that looks like one of Parse and has the fields of a registration keeps them', () => {
    const record = {
      userId: 'ada',
      deviceType: 'android',
      deviceToken: 't',
      clientVersion: '4.2',
      locale: 'de-AT',
      launchTime: '2026-02-01T00:00:00Z',
      installDate: '2026-01-01T00:00:00Z',
    };
    const { registration } = readDevice(record, importOptions('parse'));
    expect(registration).toMatchObject({
      clientVersion: '4.2',
      launchTime: new Date(record.launchTime),
      installDate: new Date(record.installDate),
      locale: 'de-AT',
    });
    const both = { ...record, appVersion: '5', localeIdentifier: 'de-CH', updatedAt: '2026-03-01T00:00:00Z' };
    expect(readDevice(both, importOptions('parse')).registration).toMatchObject({
      clientVersion: '5',
      launchTime: new Date(both.updatedAt),
      locale: 'de-CH',
    });
  });

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
    const first = readDevice(rest, importOptions('parse'));
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
      const further = readDevice(record, importOptions('parse')).registration.registration;
      // CSV has texts alone.
      expect(record === csv ? { ...further, badge: 3 } : further).toEqual(first.registration.registration);
      const same = { ...readDevice(record, importOptions('parse')), registration: null };
      expect(same).toEqual({ ...first, registration: null });
    }
  });

  it('of Parse belongs to the user of its pointer, or else of its userId', () => {
    const record = { deviceType: 'android', deviceToken: 'ab', userId: 'ada' };
    expect(readDevice(record, importOptions('parse'))).toMatchObject({
      userId: 'ada',
      registration: { registration: {} },
    });
    const user = { __type: 'Pointer', className: '_User', objectId: 'u1' };
    expect(readDevice({ ...record, user }, importOptions('parse')).userId).toBe('u1');
    expect(readDevice({ ...record, _p_user: '_User$u1' }, importOptions('parse')).userId).toBe('u1');
  });

  it('has the owner that a mapping names, in the form of REST, the dashboard and MongoDB', () => {
    const record = { deviceType: 'ios', deviceToken: 'ab', user: { objectId: 'not me' } };
    const pointer = { __type: 'Pointer', className: 'Customer', objectId: 'c$1' };
    const options = (column: string): ImportOptions => importOptions('parse', { mapping: { userId: { column } } });
    const forms: [object, string][] = [
      [{ owner: pointer }, 'owner'],
      [{ owner: pointer }, 'owner.objectId'],
      [{ owner: { ...pointer, __type: 'Object', name: 'Ada' } }, 'owner'],
      [{ owner: JSON.stringify(pointer) }, 'owner'],
      [{ owner: 'c$1' }, 'owner'],
      [{ _p_owner: 'Customer$c$1' }, '_p_owner'],
      [{ _p_owner: 'Customer$c$1' }, 'owner'],
    ];
    for (const [owner, column] of forms)
      expect(readDevice({ ...record, ...owner }, options(column)).userId).toBe('c$1');
    expect(readImported({ ...record, owner: { a: 1 } }, options('owner'))).toEqual({
      problem: 'owner (userId) must be text of 1 to 255 characters',
    });
    expect(hasMappedColumn('parse', { _p_owner: 'Customer$c1' }, 'owner')).toBe(true);
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
    expect(readDevice(record, importOptions('parse')).registration.registration).toEqual({
      visits: 17,
      score: 1.5,
      spent: 9.99,
      order: '9007199254740993',
      ratio: 'NaN',
    });
  });

  it('with a channel that cannot be read is a device that tells of it', () => {
    const record = { deviceType: 'android', deviceToken: 't' };
    const readingOf = (channels: unknown): unknown => readImported({ ...record, channels }, importOptions('parse'));
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
    expect(readDevice(android, importOptions('parse'))).toMatchObject({
      userId: null,
      registration: { pushType: 'fcm' },
    });
    expect(readImported({ deviceType: 'ios' }, importOptions('parse'))).toEqual({ skipped: 'has no token' });
  });
});

describe('the location of an installation of Parse', () => {
  const record = { deviceType: 'ios', deviceToken: 'ab' };
  const readingOf = (location: unknown): ImportReading => readImported({ ...record, location }, importOptions('parse'));

  it.each([
    ['a GeoPoint of REST', { __type: 'GeoPoint', latitude: 52.5, longitude: 13.4 }],
    ['a GeoPoint in a cell of the dashboard', '{"__type":"GeoPoint","latitude":52.5,"longitude":13.4}'],
    ['longitude and latitude of MongoDB', [13.4, 52.5]],
    ['the canonical form of them', [{ $numberDouble: '13.4' }, { $numberDouble: '52.5' }]],
    ['them in a cell', '[13.4,52.5]'],
  ])('is the place of the device: %s', (_, location) => {
    expect(readingOf(location)).toMatchObject({
      device: { registration: { latitude: 52.5, longitude: 13.4 } },
      notice: null,
    });
  });

  it.each([
    ['Berlin'],
    [{ __type: 'GeoPoint', latitude: 52.5 }],
    [{ latitude: 152.5, longitude: 13.4 }],
    [{ city: 'Berlin' }],
    [[13.4]],
    [['east', 'north']],
  ])('that is no place is reported, and the device is imported without it: %j', (location) => {
    expect(readingOf(location)).toMatchObject({
      device: { registration: { latitude: null, longitude: null } },
      notice: expect.stringMatching(/^location/) as string,
    });
  });

  it.each([[undefined], [null], ['']])('is not there: %j', (location) => {
    expect(readingOf(location)).toMatchObject({
      device: { registration: { latitude: null, longitude: null } },
      notice: null,
    });
  });
});
