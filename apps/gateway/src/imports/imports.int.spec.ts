import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DeviceImportsRepository, rows } from '@postrider/persistence';
import { configureVendor } from '@postrider/testing';
import { BodyDeadlines } from '../http/body-deadlines';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const LIMIT = 20_000_000;
const ONESIGNAL = 'id,identifier,device_type,tags\n1,token-a,1,{}\n';

describe('files of devices', () => {
  let gateway: TestGateway;
  let token: string;
  let files: DeviceImportsRepository;

  beforeAll(async () => {
    gateway = await startTestGateway({ maxImportBytes: LIMIT });
    token = await gateway.application('shop');
    files = new DeviceImportsRepository(gateway.database);
  });
  afterAll(() => gateway.close());

  const send = (body: string | Buffer, type: string, query = '', headers = {}, as = token): Promise<TestAnswer> =>
    gateway.request('POST', `/api/installations/import${query}`, {
      body,
      headers: { 'x-access-token': as, 'content-type': type, ...headers },
    });
  const get = (path: string, as = token): Promise<TestAnswer> =>
    gateway.request('GET', `/api/installations/import/${path}`, { headers: { 'x-access-token': as } });
  const stored = async (jobId: string): Promise<string> => {
    const found: Buffer[] = [];
    for (let number = 0; ; number++) {
      const chunk = await files.readChunk({ appId: 'shop', jobId }, number);
      if (chunk === null) return Buffer.concat(found).toString();
      found.push(chunk);
    }
  };
  const mappingOf = (mapping: object): string => `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
  const detailsOf = ({ body }: TestAnswer): string[] =>
    body.error.details.map(({ path }: { path: string }) => path) as string[];

  it('are recognised when they come again, packed or not, unless they are read in another way', async () => {
    const list = 'token,userId,team\nfX2k0a1b2c3d4e5f6a7b8c9d,ada,red\n';
    const fingerprintOf = async (body: string | Buffer, query = '?pushType=fcm'): Promise<number> => {
      const answer = await send(body, 'text/csv', query);
      const found = await files.find({ appId: 'shop', jobId: answer.body.jobId as string });
      return found?.fingerprint as number;
    };
    const first = await fingerprintOf(list);
    expect(Number.isSafeInteger(first)).toBe(true);
    expect(await fingerprintOf(list, '?pushType=fcm&name=again.csv')).toBe(first);
    expect(await fingerprintOf(gzipSync(list))).toBe(first);
    const others = [
      await fingerprintOf(list.replace('red', 'blue')),
      await fingerprintOf(list, '?pushType=hms'),
      await fingerprintOf(list, `${mappingOf({ 'tags.team': 'team' })}&pushType=fcm`),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it('are taken plain and packed, whatever they hold, and recognised', async () => {
    const device = { deviceType: 'ios', deviceToken: 'ab', filler: 'x'.repeat(900_000) };
    const document = JSON.stringify({ results: [device, device, device] });
    const kinds: [string | Buffer, string, string, string, object][] = [
      [ONESIGNAL, 'text/csv', '', 'onesignal', {}],
      [gzipSync(ONESIGNAL), 'text/csv; charset=utf-8', '', 'onesignal', { 'content-encoding': 'gzip' }],
      [document, 'application/json', '', 'parse', {}],
      [gzipSync(document), 'application/json', '', 'parse', { 'content-encoding': 'gzip' }],
      [gzipSync(ONESIGNAL), 'text/csv', '', 'onesignal', {}],
      [gzipSync(document), 'application/json', '', 'parse', {}],
      ['{"ChannelType":"GCM","Address":"t"}\n', 'application/x-ndjson', '', 'pinpoint', {}],
      ['fX2k0a1b2c3d4e5f6a7b8c9d,ada\n', 'text/csv', '?pushType=fcm', 'tokens', {}],
      ['a,b\n1,2\n', 'text/csv', mappingOf({ deviceToken: 'a', pushType: { value: 'fcm' } }), 'mapping', {}],
    ];
    for (const [body, type, query, format, headers] of kinds) {
      const answer = await send(body, type, query, headers);
      expect(answer).toMatchObject({ status: 202, body: { jobId: expect.any(String) as string } });
      const job = await get(answer.body.jobId as string);
      expect(job.body).toMatchObject({
        status: 'working',
        format,
        bytesWorked: 0,
        created: 0,
        errors: [],
        finishedAt: null,
      });
      const whole = type.includes('json') && !type.includes('nd') ? document : ONESIGNAL;
      if (format === 'onesignal' || format === 'parse') expect(await stored(answer.body.jobId as string)).toBe(whole);
    }
  });

  it('are validated where the caller asks for it, and FCM can be asked', async () => {
    const query = '?pushType=fcm&validate=true';
    const list = 'fX2k0a1b2c3d4e5f6a7b8c9d,ada\n';
    expect((await send(list, 'text/csv', query)).body.error.details).toEqual([
      { path: 'validate', message: 'needs credentials of fcm, and the application has none' },
    ]);
    await configureVendor(gateway.database, 'shop', 'fcm');
    const stored = async (more: string): Promise<unknown> => {
      const { jobId } = (await send(list, 'text/csv', `${query}${more}`)).body;
      const { body } = await get(jobId as string);
      expect(body.validation).toEqual({ valid: 0, invalid: 0, unanswered: 0, lastError: null });
      return (await files.find({ appId: 'shop', jobId: jobId as string }))?.options.validationRate;
    };
    expect(await stored('')).toBe(100);
    expect(await stored('&validationRate=1000')).toBe(1_000);
    const plain = await send(list, 'text/csv', '?pushType=fcm');
    expect((await get(plain.body.jobId as string)).body.validation).toBeNull();
    expect(detailsOf(await send(list, 'text/csv', `${query}&validationRate=1001`))).toEqual(['validationRate']);
    expect(detailsOf(await send(list, 'text/csv', '?pushType=fcm&validationRate=5'))).toEqual(['validationRate']);
  });

  it('of no format are refused, and so are lists that do not say whose tokens they hold', async () => {
    const unknown = await send('name,email\nada,a@example.org\n', 'text/csv');
    expect(unknown.status).toBe(400);
    expect(unknown.body.error.details).toEqual([
      { path: 'format', message: expect.stringMatching(/onesignal, parse, sns, pinpoint, webpush, tokens/) as string },
    ]);
    expect(detailsOf(await send('token,userId\nt,ada\n', 'text/csv'))).toEqual(['pushType']);
    const mapped = await send('name,email\nada,a@example.org\n', 'text/csv', mappingOf({ userId: 'name' }));
    expect(mapped.body.error.details).toEqual([
      { path: 'mapping', message: expect.stringMatching(/must name deviceToken/) as string },
    ]);
    expect(detailsOf(await send('[1]', 'application/json'))).toEqual(['format']);
    expect(detailsOf(await send('x', 'text/csv', '?mapping={}x&format=apple&header=maybe'))).toEqual([
      'format',
      'mapping',
      'header',
    ]);
    expect(await send('', 'text/csv')).toMatchObject({ status: 400 });
    expect(await send('x', 'application/xml')).toMatchObject({
      status: 415,
      body: { error: { message: expect.stringMatching(/text\/csv.* or application\/json$/) as string } },
    });
    expect(await send('x', 'text/csv', '', { 'content-encoding': 'br' })).toMatchObject({ status: 415 });
    const client = await gateway.token('shop', ['devices', 'tags', 'send']);
    expect(await send(ONESIGNAL, 'text/csv', '', {}, client)).toMatchObject({ status: 403 });
    expect(await rows(gateway.database, `SELECT 1 FROM device_imports WHERE status = 'uploading'`)).toEqual([]);
  });

  it('that are lists of tokens are refused where their first line neither is a token nor names one', async () => {
    const listed = (file: string, query: string): Promise<TestAnswer> =>
      send(file, 'text/csv', `?format=tokens&pushType=fcm${query}`);
    for (const file of ['grace-phone,grace\nada-phone,ada\n', 'push_token,user\nfX2k0a1b2c3d4e5f6a7b8c9d,ada\n']) {
      const refused = await listed(file, '');
      expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'format' }] } } });
      expect(JSON.stringify(refused.body)).toContain('header=false');
    }
    expect((await listed('grace-phone,grace\nada-phone,ada\n', '&header=false')).status).toBe(202);
    expect((await listed('grace-1,grace\nada-1,ada\n', '')).status).toBe(202);
    expect((await listed('TOKEN,userId\ngrace-phone,grace\n', '')).status).toBe(202);
    const named = encodeURIComponent(JSON.stringify({ deviceToken: 'token2', userId: 'user' }));
    expect((await listed('token2,user\ngrace-phone,grace\n', `&mapping=${named}`)).status).toBe(202);
    const mapping = encodeURIComponent(JSON.stringify({ deviceToken: 'push_token' }));
    expect((await listed('push_token,user\ngrace-phone,grace\n', `&mapping=${mapping}`)).status).toBe(202);
  });

  it('are recognised whichever separator they have', async () => {
    const mapped = mappingOf({ deviceToken: 'push', userId: 'customer' });
    const numbered = `${mappingOf({ deviceToken: 1, userId: 2 })}&header=false`;
    const kinds: [string, string, string, string][] = [
      ['identifier;device_type;tags\n', '', 'onesignal', ';'],
      ['\uFEFFidentifier\tdevice_type\ttags,more\n', '', 'onesignal', '\t'],
      ['\uFEFFsep=;\r\n\r\nidentifier;device_type\r\n', '', 'onesignal', ';'],
      ['sep=,\nidentifier,device_type\n', '', 'onesignal', ','],
      ['"identifier";"a,b,c";device_type\n', '?format=onesignal', 'onesignal', ';'],
      ['fX2k0a1b2c3d4e5f6a7b8c9d;ada\n', '?pushType=fcm', 'tokens', ';'],
      ['push;customer;a,b,c\nt;ada;1\n', mapped, 'mapping', ';'],
      ['t;ada\n', numbered, 'mapping', ';'],
      ['t,ada,a;b;c;d\n', numbered, 'mapping', ','],
    ];
    for (const [body, query, format, separator] of kinds) {
      const { jobId } = (await send(body, 'text/csv', query)).body as { jobId: string };
      expect((await files.find({ appId: 'shop', jobId }))?.options).toMatchObject({ format, separator });
    }
  });

  it('may spell their columns in any case', async () => {
    const query = mappingOf({ 'attributes.type': 'Device_Type', 'tags.plan': 'Plan' });
    const { jobId } = (await send('IDENTIFIER,Device_Type,Plan\nt,1,gold\n', 'text/csv', query)).body as {
      jobId: string;
    };
    expect((await files.find({ appId: 'shop', jobId }))?.options).toMatchObject({
      format: 'onesignal',
      mapping: { 'attributes.type': { column: 'device_type' }, 'tags.plan': { column: 'Plan' } },
    });
  });

  it('that cannot be read are refused with what they are', async () => {
    const packed = { 'content-encoding': 'gzip' };
    const utf16 = Buffer.from(`\uFEFF${ONESIGNAL}`, 'utf16le');
    const refused: [string | Buffer, object, string][] = [
      ['', {}, 'is empty'],
      ['\uFEFF', {}, 'is empty'],
      [gzipSync(''), {}, 'is empty'],
      [Buffer.from('PK\x03\x04rest', 'latin1'), {}, 'is a zip archive; unpack it'],
      [Buffer.from('PK\x03\x04rest', 'latin1'), packed, 'is a zip archive; unpack it'],
      [utf16, {}, 'is UTF-16; save it as UTF-8'],
      [Buffer.from(utf16).swap16(), {}, 'is UTF-16; save it as UTF-8'],
      [gzipSync(utf16), packed, 'is UTF-16; save it as UTF-8'],
      [Buffer.from(ONESIGNAL, 'utf16le'), {}, 'is UTF-16; save it as UTF-8'],
      [Buffer.from(ONESIGNAL, 'utf16le').swap16(), {}, 'is UTF-16; save it as UTF-8'],
      [ONESIGNAL.replaceAll('\n', '\r'), {}, 'ends its lines with CR alone; save it with LF or CRLF'],
      [gzipSync(gzipSync(ONESIGNAL)), {}, 'is compressed by gzip twice; decompress it once'],
    ];
    for (const [body, headers, message] of refused) {
      for (const query of ['', '?format=onesignal']) {
        const answer = await send(body, 'text/csv', query, headers);
        expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: '', message }] } } });
      }
    }
    expect(await send('PK,identifier,device_type\n1,token-a,1\n', 'text/csv')).toMatchObject({ status: 202 });
    expect(await rows(gateway.database, `SELECT 1 FROM device_imports WHERE status = 'uploading'`)).toEqual([]);
  });

  it('that are refused may arrive to their end, however slowly: whoever reads the answer behind it finds it', async () => {
    const { port } = new URL(gateway.address);
    const socket = connect(Number(port), '127.0.0.1');
    const answers = socket.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
    const clock = jest.spyOn(performance, 'now');
    try {
      const half = Buffer.alloc(100_000, 'x');
      socket.write(
        `POST /api/installations/import HTTP/1.1\r\nHost: x\r\nX-Access-Token: ${token}\r\nContent-Type: text/csv\r\n` +
          `Content-Length: ${4 + 2 * half.length}\r\n\r\nPK\x03\x04`,
      );
      socket.write(half);
      expect((await answers.next()).value).toMatch(/^HTTP\/1\.1 400 [^]*is a zip archive/);
      const later = performance.now() + 60_000;
      clock.mockImplementation(() => later);
      gateway.app.get(BodyDeadlines).look();
      socket.write(half);
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      expect((await answers.next()).value).toMatch(/^HTTP\/1\.1 200 /);
    } finally {
      clock.mockRestore();
      socket.destroy();
    }
  });

  it('that are refused by their first line keep the connection, plain and packed', async () => {
    const lines = Buffer.concat([Buffer.from('a,b\n'), randomBytes(2_000_000)]);
    const bodies: [Buffer, string][] = [
      [lines, ''],
      [gzipSync(lines), 'Content-Encoding: gzip\r\n'],
    ];
    for (const [body, coding] of bodies) {
      const socket = connect(Number(new URL(gateway.address).port), '127.0.0.1');
      const answers = socket.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
      try {
        socket.write(
          `POST /api/installations/import HTTP/1.1\r\nHost: x\r\nX-Access-Token: ${token}\r\nContent-Type: text/csv\r\n` +
            `${coding}Content-Length: ${body.length}\r\n\r\n`,
        );
        socket.write(body);
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
        expect((await answers.next()).value).toMatch(/^HTTP\/1\.1 400 [^]*is in none of the formats/);
        expect((await answers.next()).value).toMatch(/^HTTP\/1\.1 200 /);
      } finally {
        socket.destroy();
      }
    }
  });

  it('are refused where a mapping names a column that the header does not have', async () => {
    const query = `${mappingOf({ deviceToken: 'token', userId: 'customer' })}&pushType=fcm`;
    expect((await send('\uFEFFtoken,name\nt,ada\n', 'text/csv', query)).body.error.details).toEqual([
      { path: 'mapping.userId', message: 'names the column customer, which the file does not have' },
    ]);
    expect((await send('t,ada\n', 'text/csv', `${query}&header=false`)).body.error.details).toEqual([
      { path: 'mapping.deviceToken', message: 'must be the number of a column: the file has no header' },
      { path: 'mapping.userId', message: 'must be the number of a column: the file has no header' },
    ]);
    expect(await rows(gateway.database, `SELECT 1 FROM device_imports WHERE status = 'uploading'`)).toEqual([]);
  });

  it('that are JSON of another content type are refused with the right one', async () => {
    const document = ['is a JSON document; send it with the content type application/json'];
    const lines = ['is JSON lines; send it with the content type application/x-ndjson'];
    const device = { token: 't', userId: 'ada' };
    const query = `${mappingOf({ deviceToken: 'token' })}&pushType=fcm`;
    for (const [body, type, search, message] of [
      [JSON.stringify([device]), 'text/csv', '', document],
      [JSON.stringify([device], null, 2), 'application/x-ndjson', query, document],
      [JSON.stringify({ results: [device] }), 'application/x-ndjson', query, document],
      [JSON.stringify({ results: [device] }, null, 2), 'application/jsonl', '', document],
      [`\uFEFF\n${JSON.stringify({ results: [device] })}`, 'text/csv', query, document],
      [`${JSON.stringify(device)}\n${JSON.stringify(device)}\n`, 'text/csv', query, lines],
    ] as const) {
      const { status, body: answer } = await send(body, type, search);
      expect([status, answer.error.details.map((detail: { message: string }) => detail.message)]).toEqual([
        400,
        message,
      ]);
    }
    expect(await rows(gateway.database, `SELECT 1 FROM device_imports WHERE status = 'uploading'`)).toEqual([]);
  });

  it('tell which columns of the mapping no record has', async () => {
    const query = `${mappingOf({ deviceToken: 'token', userId: 'customer', 'tags.id': 'customer' })}&pushType=fcm`;
    const numbers = `${mappingOf({ deviceToken: '1', userId: '4' })}&pushType=fcm&header=false`;
    for (const [body, type, search, columns, missing] of [
      ['{"token":"t"}\n', 'application/x-ndjson', query, ['token'], ['customer']],
      ['[{"token":"t"}]', 'application/json', query, ['token'], ['customer']],
      ['{"token":"t"}\n', 'application/x-ndjson', query, ['token', 'customer'], []],
      ['t,ada\n', 'text/csv', numbers, ['1', '2'], ['4']],
      ['Token,customer\nt,ada\n', 'text/csv', query.replace('%22token', '%22Token'), ['Token', 'customer'], []],
    ] as const) {
      const { jobId } = (await send(body, type, search)).body as { jobId: string };
      expect((await get(jobId)).body).toMatchObject({ missingColumns: [] });
      // As the audience worker does.
      await rows(gateway.database, `UPDATE device_imports SET columns = $2 WHERE job_id = $1`, [jobId, columns]);
      expect((await get(jobId)).body).toMatchObject({ missingColumns: missing });
    }
  });

  it('tell which of their columns are not read', async () => {
    const mapping = mappingOf({ 'tags.plan': 'Plan', userId: 'User_Id' });
    const header = ['id', 'User_Id', 'Plan', 'platform', 'Token', ''];
    for (const [body, type, search, unread] of [
      [`${header.join(',')}\n`, 'text/csv', '?pushType=fcm', ['id', 'Plan', 'platform']],
      [`${header.join(',')}\n`, 'text/csv', `${mapping}&pushType=fcm`, ['id', 'platform']],
      ['fX2k0a1b2c3d4e5f6a7b8c9d,ada\n', 'text/csv', '?pushType=fcm', []],
      ['{"token":"t","id":1}\n', 'application/x-ndjson', '?pushType=fcm', []],
    ] as const) {
      const { jobId } = (await send(body, type, search)).body as { jobId: string };
      expect((await get(jobId)).body).toMatchObject({ unreadColumns: [] });
      // As the audience worker does.
      const columns = type === 'text/csv' ? header : null;
      await rows(gateway.database, `UPDATE device_imports SET columns = $2 WHERE job_id = $1`, [jobId, columns]);
      expect((await get(jobId)).body).toMatchObject({ unreadColumns: unread });
    }
  });

  it('are limited unpacked, and in how much they may unpack to', async () => {
    const large = Buffer.concat([Buffer.from(ONESIGNAL), Buffer.alloc(LIMIT, '2,token-b,1,{}\n')]);
    expect(await send(gzipSync(large), 'text/csv', '', { 'content-encoding': 'gzip' })).toMatchObject({ status: 413 });
    const bomb = Buffer.concat([Buffer.from(ONESIGNAL), Buffer.alloc(LIMIT - 100_000, 0x20)]);
    const answer = await send(gzipSync(bomb), 'text/csv', '', { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject({
      status: 413,
      body: { error: { message: expect.stringContaining('200 times') as string } },
    });
    expect(await send(gzipSync(large), 'text/csv')).toMatchObject({ status: 413 });
    expect(await send(gzipSync(bomb), 'text/csv')).toMatchObject({ status: 413 });
    const broken = gzipSync(ONESIGNAL.repeat(50)).subarray(0, -20);
    expect(await send(broken, 'text/csv', '', { 'content-encoding': 'gzip' })).toMatchObject({ status: 400 });
    expect(await send('no gzip', 'text/csv', '', { 'content-encoding': 'gzip' })).toMatchObject({ status: 400 });
    expect(await rows(gateway.database, `SELECT 1 FROM device_imports WHERE status = 'uploading'`)).toEqual([]);
  });

  it('tell all their errors, can be cancelled, and are nobody else’s', async () => {
    const jobId = (await send(ONESIGNAL, 'text/csv')).body.jobId as string;
    await rows(
      gateway.database,
      `INSERT INTO device_import_errors (app_id, job_id, line, message)
       SELECT 'shop', $1, n, 'is wrong' FROM generate_series(2, 6001) n`,
      [jobId],
    );
    const { body } = await get(`${jobId}/errors`);
    const lines = String(body).trim().split('\n');
    expect(lines).toHaveLength(6_000);
    expect(JSON.parse(lines[5_999] ?? '')).toEqual({ line: 6_001, message: 'is wrong' });
    expect((await get(jobId)).body.errors).toHaveLength(100);
    const stranger = await gateway.application('other');
    for (const path of [jobId, `${jobId}/errors`, 'x'])
      expect(await get(path, stranger)).toMatchObject({ status: 404 });
    const cancel = (as: string): Promise<TestAnswer> =>
      gateway.request('POST', `/api/installations/import/${jobId}/cancel`, { headers: { 'x-access-token': as } });
    expect(await cancel(stranger)).toMatchObject({ status: 404 });
    for (let times = 0; times < 2; times++) {
      expect(await cancel(token)).toMatchObject({ status: 200, body: { status: 'failed', reason: 'cancelled' } });
    }
    expect(await stored(jobId)).toBe('');
  });

  it('are found again without their ids: the last one first, by the names of the files', async () => {
    const reader = await gateway.application('archive');
    const stranger = await gateway.application('elsewhere');
    const list = async (query: string, as = reader): Promise<TestAnswer['body']> =>
      (await gateway.request('GET', `/api/installations/import${query}`, { headers: { 'x-access-token': as } })).body;
    const sent: string[] = [];
    for (const query of ['?name=may.csv', '?name=%DA%98%D9%88%D8%A6%D9%86%20(1).csv', '']) {
      sent.unshift((await send(ONESIGNAL, 'text/csv', query, {}, reader)).body.jobId as string);
    }
    const named = [null, 'ژوئن (1).csv', 'may.csv'].map((name, n) => ({
      ...{ jobId: sent[n], name, status: 'working', format: 'onesignal', created: 0 },
    }));
    const all = await list('');
    expect(all).toMatchObject({ imports: named, nextCursor: null });
    expect(all.imports[0]).not.toHaveProperty('errors');
    const first = await list('?limit=2');
    expect(first.imports).toMatchObject(named.slice(0, 2));
    expect(await list(`?limit=2&cursor=${first.nextCursor as string}`)).toMatchObject({
      ...{ imports: named.slice(2), nextCursor: null },
    });
    expect((await get(sent[2] ?? '', reader)).body.name).toBe('may.csv');
    expect(await list('', stranger)).toEqual({ imports: [], nextCursor: null });
    expect(detailsOf(await send(ONESIGNAL, 'text/csv', `?name=${'x'.repeat(256)}`, {}, reader))).toEqual(['name']);
  });
});
