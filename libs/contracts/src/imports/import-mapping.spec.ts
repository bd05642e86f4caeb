import { readMapping } from './import-mapping';
import { readImported } from './read-imported';
import { importOptions, readDevice } from './testing/read-device';

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
    const device = readDevice(record, importOptions('mapping', { mapping: reading.value }));
    expect(device).toMatchObject({
      userId: 'ada',
      tags: ['plan', 'vip'],
      tagValues: { plan: 'gold' },
      attributes: { age: '7' },
      at: new Date(1_700_000_000_000),
      registration: { token: 't1', pushType: 'fcm', latitude: 1, longitude: 2 },
    });
  });

  it('reads a place, channels and a push type from one cell each', () => {
    const mapping = {
      location: { column: 'place' },
      subscriptions: { column: 'channels' },
      pushType: { column: 'vendor' },
      deviceToken: { column: 'token' },
    };
    const how = importOptions('mapping', { mapping });
    const registrationOf = (place: string, channels: string, vendor = ' FCM'): object =>
      readDevice({ token: 't1', place, channels, vendor }, how).registration;
    const vienna = { latitude: 48.2, longitude: 16.3 };
    const named = ['private/alerts', 'public/news'];
    expect(registrationOf('48.2,16.3', 'public/news,alerts')).toMatchObject({
      ...vienna,
      pushType: 'fcm',
      channels: expect.arrayContaining(named) as string[],
    });
    for (const [place, list] of [
      ['(48.2, 16.3)', 'alerts; public/news;'],
      ['{"lat":48.2,"lng":16.3}', '["alerts","public/news"]'],
    ] as const) {
      expect(registrationOf(place, list)).toMatchObject({
        ...vienna,
        channels: expect.arrayContaining(named) as string[],
      });
    }
    expect(readImported({ token: 't1', vendor: 'fcm', place: 'Vienna' }, how)).toMatchObject({
      notice: expect.stringMatching(/^place \(location\) must be a place: latitude and longitude such as/) as string,
    });
  });

  it('has the rules of a body', () => {
    const refused: [string, string, string][] = [
      ['{ "attributes.a\\u0000": "t" }', '.attributes.a\0', 'must not contain NUL or half a surrogate pair'],
      ['{ "tags.k": { "value": "a\\ud800" } }', '.tags.k.value', 'must not contain NUL or half a surrogate pair'],
      ['{ "note": "c\\u0000" }', '.note', 'must not contain NUL or half a surrogate pair'],
      ['{ "note": { "value": { "__proto__": 1 } } }', '.note.value.__proto__', 'is not allowed as a key'],
      ['{ "constructor": "t" }', '.constructor', 'is not allowed as a key'],
      ['{ "attributes.__proto__": "t" }', '.attributes.__proto__', 'is not a field that can be imported'],
      ['{ "tags.constructor": "t" }', '.tags.constructor', 'is not a field that can be imported'],
    ];
    for (const [sent, path, message] of refused) expect(readMapping(sent)).toEqual({ problems: [{ path, message }] });
    expect(readMapping(`{ "note": { "value": ${'['.repeat(40)}1${']'.repeat(40)} } }`)).toHaveProperty('problems');
  });

  it('takes nothing that no database can store', () => {
    const mapping = { deviceToken: { column: 't' }, note: { column: 'note' }, 'attributes.a': { column: 'a' } };
    const how = importOptions('mapping', { mapping, pushType: 'fcm' });
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
    expect(readImported({ deviceType: 'ios', deviceToken: deep }, importOptions('parse'))).toHaveProperty('problem');
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
