import { runInNewContext } from 'node:vm';
import type { ImportFormat } from '@postrider/domain';
import { nothingRead, readImportRecord, type ReadingPlace, splitterOf } from './read-import-records';

const ENDPOINT = 'https://push.example.com/a';
const SUBSCRIPTION = JSON.stringify({ endpoint: ENDPOINT, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } });

describe('a text in a file of JSON lines', () => {
  const read = (format: ImportFormat, text: string): ReturnType<typeof nothingRead> => {
    const options = { format, mapping: null, pushType: 'fcm' as const, hasHeader: false };
    const place: ReadingPlace = { kind: 'ndjson', options, columns: null, position: 10, lines: 1 };
    const result = nothingRead();
    const bytes = Buffer.from(JSON.stringify(text));
    readImportRecord(place, { line: 2, nextLine: 3, endsAt: bytes.length, bytes, problem: null }, result);
    return result;
  };

  it.each(['parse', 'sns', 'pinpoint', 'tokens', 'onesignal'] as const)(
    'is wrong, and not a device without a token: %s',
    (format) => {
      const result = read(format, 'fX2k0a1b2c3d4e5f6a7b8c9d');
      expect(result).toMatchObject({
        skipped: 0,
        devices: [],
        errors: [{ line: 2, message: 'must be a JSON object' }],
      });
    },
  );

  it('is a push subscription in a file of these', () => {
    expect(read('webpush', SUBSCRIPTION)).toMatchObject({ skipped: 0, errors: [], devices: [{ line: 2 }] });
  });
});

describe('an array with the pages of an export of Amazon SNS', () => {
  it('has the devices of all pages, in their order', () => {
    const page = (...tokens: string[]): object => ({
      Endpoints: tokens.map((Token) => ({
        EndpointArn: 'arn:aws:sns:eu:1:endpoint/GCM/shop/0',
        Attributes: { Token },
      })),
      NextToken: 'AAE',
    });
    const options = { format: 'sns' as const, mapping: null, pushType: null, hasHeader: false };
    const place: ReadingPlace = { kind: 'json', options, columns: null, position: 0, lines: 0 };
    const [splitter, result] = [splitterOf(place), nothingRead()];
    const file = Buffer.from(JSON.stringify([page('a', 'b'), page(), page('c')]));
    for (const record of [...splitter.push(file), ...splitter.end()]) readImportRecord(place, record, result);
    expect(result).toMatchObject({ skipped: 0, errors: [], failure: null });
    expect(result.devices.map(({ line, device }) => [line, device.registration.token])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
  });
});

describe('a line of CSV', () => {
  const read = (lines: readonly string[]): ReturnType<typeof nothingRead> => {
    const options = { format: 'tokens' as const, mapping: null, pushType: 'fcm' as const, hasHeader: true };
    const place: ReadingPlace = { kind: 'csv', options, columns: null, position: 0, lines: 0 };
    const result = nothingRead();
    lines.forEach((text, at) => {
      const bytes = Buffer.from(text);
      readImportRecord(place, { line: at + 1, nextLine: at + 2, endsAt: bytes.length, bytes, problem: null }, result);
    });
    return result;
  };

  it('has no user and no token where a database wrote that there is none', () => {
    const none = ['\\N', 'NULL', 'null', ''];
    const { devices, skipped, errors } = read(['token,user_id', ...none.map((user, at) => `token-${at},${user}`)]);
    expect(devices.map(({ device }) => device.userId)).toEqual([null, null, null, null]);
    expect(errors).toEqual([]);
    expect(skipped).toBe(0);
    expect(read(['token,user_id', ...none.map((token) => `${token},ada`)])).toMatchObject({ devices: [], skipped: 4 });
  });

  it('has the users who are called like that otherwise', () => {
    const { devices } = read(['token,user_id', 'a,Null', 'b,null-42']);
    expect(devices.map(({ device }) => device.userId)).toEqual(['Null', 'null-42']);
  });
});

describe('an integer in a file of JSON lines', () => {
  const mapping = {
    deviceToken: { column: 'token' },
    userId: { column: 'customer' },
    'attributes.account': { column: 'account' },
    'tags.order': { column: 'order' },
  };
  const readDevice = (text: string): unknown => {
    const options = { format: 'mapping' as const, mapping, pushType: 'fcm' as const, hasHeader: false };
    const place: ReadingPlace = { kind: 'ndjson', options, columns: null, position: 0, lines: 0 };
    const result = nothingRead();
    const bytes = Buffer.from(text);
    readImportRecord(place, { line: 1, nextLine: 2, endsAt: bytes.length, bytes, problem: null }, result);
    expect(result).toMatchObject({ errors: [], notices: [] });
    return result.devices[0]?.device;
  };

  it('that no number can hold is the text of its digits', () => {
    const text = String.raw`{"token":"a","customer":9007199254740993,"account":[-9007199254740993, 5],"order":12345678901234567890}`;
    expect(readDevice(text)).toMatchObject({
      userId: '9007199254740993',
      attributes: { account: ['-9007199254740993', 5] },
      tagValues: { order: '12345678901234567890' },
    });
  });

  it('is not looked for in texts and among other numbers', () => {
    const text = String.raw`{"token":"a","customer":"\"9007199254740993","account":[9007199254740991,1.2345678901234567,12345678901234567e3]}`;
    expect(readDevice(text)).toMatchObject({
      userId: '"9007199254740993',
      attributes: { account: [9_007_199_254_740_991, 1.2345678901234567, 12345678901234567e3] },
    });
  });
});

describe('a column of a CSV file', () => {
  it.each(['user', 'constructor', '__proto__'])('is read whatever its name: %s', (name) => {
    const mapping = { userId: { column: name }, deviceToken: { column: 'token' } };
    const options = { format: 'mapping' as const, mapping, pushType: 'fcm' as const, hasHeader: true };
    const place: ReadingPlace = { kind: 'csv', options, columns: null, position: 0, lines: 0 };
    const result = nothingRead();
    for (const [at, text] of [`${name},token`, 'ada,fX2k0a1b2c3d4e5f6a7b8c9d'].entries()) {
      const bytes = Buffer.from(text);
      readImportRecord(place, { line: at + 1, nextLine: at + 2, endsAt: bytes.length, bytes, problem: null }, result);
    }
    expect(result).toMatchObject({ failure: null, errors: [], devices: [{ line: 2, device: { userId: 'ada' } }] });
  });
});

describe('a record of the greatest size', () => {
  /** The message about a record that is read without blocking the worker. */
  const problemOf = (text: string): string | undefined => {
    const options = { format: 'webpush' as const, mapping: null, pushType: 'webpush' as const, hasHeader: false };
    const place: ReadingPlace = { kind: 'ndjson', options, columns: null, position: 10, lines: 1 };
    const result = nothingRead();
    const bytes = Buffer.from(text);
    const record = { line: 2, nextLine: 3, endsAt: bytes.length, bytes, problem: null };
    // The limit only ends what would take an hour.
    runInNewContext('read()', { read: () => readImportRecord(place, record, result) }, { timeout: 60_000 });
    return [...result.errors, ...result.notices][0]?.message;
  };

  it('is not JSON when it is a text of escaped quotes that does not end', () => {
    expect(problemOf(`{"id":1234567890123456,"a":"${'\\"'.repeat(500_000)}`)).toBe('is not JSON');
  });

  it('has a bad key when that is full of padding', () => {
    const keys = { p256dh: `${'='.repeat(1_000_000)}a`, auth: 'a'.repeat(22) };
    expect(problemOf(JSON.stringify({ endpoint: ENDPOINT, keys }))).toContain(
      'must be the JSON text of a PushSubscription',
    );
  });
});
