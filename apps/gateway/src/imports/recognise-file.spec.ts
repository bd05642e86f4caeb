import { Readable } from 'node:stream';
import type { ImportQuery } from '@postrider/contracts';
import { recogniseFile } from './recognise-file';

describe('a file whose lines end with CR alone', () => {
  it('is refused with that, however long it is and however it comes', async () => {
    const line = 'identifier,device_type\r';
    const [short, long] = [line.repeat(2), line.repeat(100_000)];
    for (const text of [short, long]) {
      for (const kind of ['csv', 'ndjson'] as const) {
        const pieces = Readable.from([Buffer.from(text.slice(0, 10)), Buffer.from(text.slice(10))]);
        await expect(recogniseFile(kind, {}, pieces)).rejects.toMatchObject({
          options: { details: [{ path: '', message: 'ends its lines with CR alone; save it with LF or CRLF' }] },
        });
      }
    }
  });

  it('is none with one line, or with CR within others', async () => {
    for (const text of ['identifier,device_type\r', 'identifier,device_type,"a\rb"\n1,1,\n']) {
      const { options, content } = await recogniseFile('csv', {}, Readable.from([Buffer.from(text)]));
      expect(options).toMatchObject({ format: 'onesignal', separator: ',' });
      expect(Buffer.concat(await Readable.from(content).toArray()).toString()).toBe(text);
    }
  });
});

describe("a list of tokens of Expo's push service", () => {
  const token = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]';
  it.each([
    ['csv', `${token}\n`],
    ['csv', `${token},ada\n`],
    ['ndjson', `${token}\n`],
    ['json', JSON.stringify([token])],
  ] as const)('is refused with that word: %s %j', async (kind, text) => {
    const message = expect.stringContaining('is a token of Expo, which only Expo can send to') as string;
    const recognised = recogniseFile(kind, { pushType: 'fcm' }, Readable.from([Buffer.from(text)]));
    await expect(recognised).rejects.toMatchObject({ options: { details: [{ path: '', message }] } });
  });
});

describe('a list without a header that has its users before its tokens', () => {
  const text = `100017,dGhpcyBpcyBhIHRva2Vu:APA91b${'x1'.repeat(60)}\n`;
  const recognise = (query: ImportQuery): ReturnType<typeof recogniseFile> =>
    recogniseFile('csv', { pushType: 'fcm', ...query }, Readable.from([Buffer.from(text)]));

  it('is refused with the mapping that it needs', async () => {
    const message = expect.stringContaining('{"deviceToken":"2","userId":"1"}') as string;
    for (const query of [{}, { header: false }, { format: 'tokens' }, { format: 'tokens', header: false }] as const)
      await expect(recognise(query)).rejects.toMatchObject({ options: { details: [{ path: 'mapping', message }] } });
  });

  it('is read with this mapping', async () => {
    const mapping = { deviceToken: { column: '2' }, userId: { column: '1' } };
    const { options } = await recognise({ header: false, mapping });
    expect(options).toMatchObject({ format: 'mapping', hasHeader: false, mapping });
  });
});

describe("an answer of OneSignal's list of devices", () => {
  it('is recognised by its first player', async () => {
    const player = {
      id: '0f',
      identifier: 'fX2k:abc',
      device_type: 1,
      tags: { plan: 'gold' },
      invalid_identifier: false,
    };
    const text = JSON.stringify({ total_count: 1, offset: 0, limit: 300, players: [player] });
    const { options } = await recogniseFile('json', {}, Readable.from([Buffer.from(text)]));
    expect(options.format).toBe('onesignal');
  });
});

describe('an export of Amazon SNS', () => {
  it('is recognised by its first endpoint, in one page and in an array of pages', async () => {
    const Endpoints = [
      { EndpointArn: 'arn:aws:sns:eu-west-1:123:endpoint/GCM/shop/0a', Attributes: { Token: 'fX2k' } },
    ];
    const page = { NextToken: 'AAE', Endpoints };
    for (const file of [page, [page, { Endpoints }], [{ Endpoints: [] }, page]]) {
      const { options } = await recogniseFile('json', {}, Readable.from([Buffer.from(JSON.stringify(file))]));
      expect(options.format).toBe('sns');
    }
  });
});

describe('a list of tokens whose header has the column pushType', () => {
  const recognise = async (header: string, query: ImportQuery = {}): Promise<object> =>
    (await recogniseFile('csv', query, Readable.from([Buffer.from(`${header}\nfcm,t1\n`)]))).options;

  it('says itself which vendor each token belongs to', async () => {
    const mapping = { pushType: { column: 'pushType' } };
    expect(await recognise('pushType,token')).toMatchObject({ format: 'tokens', mapping, pushType: null });
    expect(await recognise('PushType,Token')).toMatchObject({ mapping: { pushType: { column: 'PushType' } } });
  });

  it('is read as its sender says, who may say it too', async () => {
    expect(await recognise('pushType,token', { pushType: 'hms' })).toMatchObject({ mapping: null, pushType: 'hms' });
    const mapping = { pushType: { value: 'hms' }, userId: { column: 'token' } };
    expect(await recognise('pushType,token', { mapping })).toMatchObject({ mapping });
  });
});
