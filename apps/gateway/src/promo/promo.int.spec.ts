import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@postrider/domain';
import { CONFIG } from '@postrider/platform';
import {
  PROMO_CHUNK_BYTES,
  PromoAssignmentsRepository,
  PromoCodesRepository,
  PromoImportsRepository,
  PromoSetsRepository,
  rows,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { PromoCodeClaims, PromoImporter, SetSettlement, StretchCopier } from '@postrider/promo';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const LIMIT = 8 * 1_048_576;
const BOUNDARY = '----codes';
const GLOBAL = '/api/containers/updateGlobalPromoCodes';
const CAMPAIGN = '/api/containers/updatePromoCodes/spring%20sale';

/** A form as browsers and curl send it. */
function form(file: string | Buffer, { name = 'file', end = `--${BOUNDARY}--\r\n` } = {}): Buffer {
  return Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="note"\r\n\r\nhello\r\n--${BOUNDARY}\r\n` +
        `Content-Disposition: form-data; name="${name}"; filename="codes.csv"\r\nContent-Type: text/csv\r\n\r\n`,
    ),
    Buffer.from(file),
    Buffer.from(`\r\n${end}`),
  ]);
}

function makeWorker({ database }: TestGateway): { importer: PromoImporter; sets: PromoSetsRepository } {
  const [imports, codes, sets] = [
    new PromoImportsRepository(database),
    new PromoCodesRepository(),
    new PromoSetsRepository(database),
  ];
  const copier = new StretchCopier(database, { maxPromoCodes: 1_000_000 }, imports, codes);
  const settlement = new SetSettlement(
    database,
    systemClock,
    imports,
    codes,
    sets,
    new WebhookEventsRepository(database),
  );
  return { importer: new PromoImporter(systemClock, imports, sets, copier, settlement), sets };
}

describe('promo codes over HTTP', () => {
  let gateway: TestGateway;
  let shop: string;
  let other: string;
  let isWorkerAwake = true;
  let worker: Promise<void>;
  const done = new AbortController();

  const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    gateway.request('POST', path, {
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'x-access-token': shop, ...headers },
    });
  const get = (path: string, token = shop): Promise<TestAnswer> =>
    gateway.request('GET', path, { headers: { 'x-access-token': token } });
  const put = (path: string, body: unknown, token = shop): Promise<TestAnswer> =>
    gateway.request('PUT', path, { body, headers: { 'x-access-token': token } });
  const claim = (userIds: string[], trackId: string | null = 'spring sale', messageId = randomUUID(), appId = 'shop') =>
    new PromoCodeClaims(
      gateway.database,
      new PromoSetsRepository(gateway.database),
      new PromoAssignmentsRepository(gateway.database),
      new WebhookEventsRepository(gateway.database),
    ).claim({ appId, messageId, trackId, userIds, now: new Date() });
  const countSets = async (): Promise<number> =>
    (await rows(gateway.database, `SELECT 1 FROM promo_sets WHERE state = 'uploading'`)).length;

  beforeAll(async () => {
    gateway = await startTestGateway({ maxUploadBytes: LIMIT });
    shop = await gateway.application('shop', ['promo']);
    other = await gateway.application('other');
    await rows(
      gateway.database,
      `INSERT INTO campaigns (app_id, track_id, campaign_id) VALUES ('shop', 'spring sale', gen_random_uuid())`,
    );
    const { importer, sets } = makeWorker(gateway);
    const work = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const due = isWorkerAwake ? await sets.findDue(new Date(Date.now() + 6_000), 10) : [];
        for (const { state, ...key } of due) {
          if (state !== 'importing') continue;
          await importer.import(key, done.signal);
        }
        await pause(5);
      }
    };
    worker = work();
  });

  afterAll(async () => {
    done.abort();
    await worker;
    await gateway.close();
  });

  it('replace the set of a campaign, and are answered when they are in force', async () => {
    const answer = await post(CAMPAIGN, form('A\r\nB\r\nA\r\n'));
    expect(answer).toMatchObject({ status: 200, body: { promoSetId: expect.any(String), totalRows: 2 } });
    expect(Object.keys(answer.body)).toEqual(['promoSetId', 'totalRows']);
    expect(answer.body.promoSetId).toMatch(/^[0-9a-f-]{36}$/);
    expect([...(await claim(['u1', 'u2'])).values()]).toEqual(['A', 'B']);
    const again = await post(CAMPAIGN, form('C\n'));
    expect(again.body.promoSetId).not.toBe(answer.body.promoSetId);
    expect([...(await claim(['u3'])).values()]).toEqual(['C']);
    expect((await get(`/api/promo/sets/${answer.body.promoSetId}`)).body).toMatchObject({
      inForce: false,
      trackId: 'spring sale',
      total: 2,
      assigned: 2,
      remaining: 0,
      replacedAt: expect.any(String),
    });
  });

  it('replace the global set under every base address', async () => {
    const bases: [string, Record<string, string>][] = [
      ['', {}],
      ['/apps/shop', {}],
      ['', { host: 'shop.push.example' }],
    ];
    for (const [base, headers] of bases) {
      const answer = await post(`${base}${GLOBAL}/`, form(`G-${base}`), headers);
      expect(answer).toMatchObject({ status: 200, body: { promoSetId: 'shop', totalRows: 1 } });
    }
    expect((await post(`/apps/other${GLOBAL}`, form('G'))).status).toBe(401);
    expect((await post(GLOBAL, form('G'), { host: 'other.push.example' })).status).toBe(401);
  });

  it('take a token wherever it may stand, and only one that may', async () => {
    const bare = { 'x-access-token': '' };
    expect((await post(`${GLOBAL}?access_token=${shop}`, form('G'), bare)).status).toBe(200);
    expect((await post(GLOBAL, form('G'), { ...bare, authorization: `Bearer ${shop}` })).status).toBe(200);
    expect((await post(GLOBAL, form('G'), { ...bare, authorization: `Bearer ${TEST_ADMIN_TOKEN}` })).status).toBe(400);
    expect(
      (await post(`/apps/shop${GLOBAL}`, form('G'), { ...bare, authorization: `Bearer ${TEST_ADMIN_TOKEN}` })).status,
    ).toBe(200);
    expect((await post(GLOBAL, form('G'), bare)).status).toBe(401);
    const reader = await gateway.token('shop', ['read', 'send']);
    expect((await post(GLOBAL, form('G'), { 'x-access-token': reader })).status).toBe(403);
    expect((await get('/api/promo/sets', reader)).status).toBe(200);
    expect((await put('/api/promo/sets/shop', { lowStockAt: 1 }, reader)).status).toBe(403);
  });

  it('are refused for a campaign that nobody knows, exactly as the contract says', async () => {
    const answer = await post('/api/containers/updatePromoCodes/nobody', form('A'));
    expect(answer).toMatchObject({ status: 404 });
    expect(answer.body).toEqual({ error: { name: 'Error', status: 404, message: 'Invalid userPush id' } });
    expect((await post(CAMPAIGN, form('A'), { 'x-access-token': other })).body.error.message).toBe(
      'Invalid userPush id',
    );
    expect((await post('/api/containers/updatePromoCodes/a%00b', form('A'))).status).toBe(400);
  });

  it('are refused with the bad line, and what was in force stays', async () => {
    await post(CAMPAIGN, form('OLD-1\nOLD-2'));
    for (const [file, message] of [
      ['A\nB,2\n', 'line 2: has a second column; a line must contain one code'],
      ['', 'line 1: the file contains no code'],
      ['\n\n', 'line 2: the file holds no code'],
      [Buffer.from([0x41, 0x0a, 0xff]), 'line 2: is not UTF-8'],
    ] as const) {
      const answer = await post(CAMPAIGN, form(file));
      expect(answer.status).toBe(400);
      expect(answer.body.error).toEqual({
        name: 'InvalidRequest',
        status: 400,
        message: 'The request is not valid',
        code: 'INVALID_REQUEST',
        details: [{ path: 'file', message }],
      });
    }
    expect([...(await claim(['v1', 'v2'])).values()]).toEqual(['OLD-1', 'OLD-2']);
  });

  it('are refused as a form that is none', async () => {
    const details = async (body: Buffer, headers = {}): Promise<unknown> =>
      (await post(GLOBAL, body, headers)).body.error.details;
    const twice = Buffer.concat([form('A', { end: '' }), form('B')]);
    expect(await details(form('A', { name: 'codes' }))).toEqual([
      { path: 'file', message: expect.stringMatching(/required/) },
    ]);
    expect(await details(twice)).toEqual([{ path: 'file', message: 'must be sent once' }]);
    expect(await details(form('A', { end: '' }))).toEqual([
      { path: '', message: expect.stringMatching(/not a complete/) },
    ]);
    expect(await details(form('A'), { 'content-type': 'multipart/form-data' })).toEqual([
      { path: '', message: expect.stringMatching(/boundary/) },
    ]);
    // curl calls a file that it sends without a type a form.
    for (const [type, file] of [
      ['text/csv', 'A\n'],
      ['application/x-www-form-urlencoded', 'A\n'.repeat(100_000)],
    ] as const)
      expect(await post(GLOBAL, file, { 'content-type': type })).toMatchObject({
        status: 415,
        body: { error: { message: 'The body must be multipart/form-data' } },
      });
    expect((await post(GLOBAL, '{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post(GLOBAL, form('A'), { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post('/api/push/toUsers', form('A'))).status).toBe(403);
    expect((await gateway.request('GET', GLOBAL)).status).toBe(405);
    expect(await countSets()).toBe(0);
  });

  it('are refused when they are too large, whether they say so or not', async () => {
    const large = form(Buffer.alloc(LIMIT + 1, 'A\n'));
    expect((await post(GLOBAL, large)).status).toBe(413);
    const answer = await new Promise<number>((resolve, reject) => {
      const outgoing = httpRequest(
        `${gateway.address}${GLOBAL}`,
        {
          method: 'POST',
          headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'x-access-token': shop },
        },
        ({ statusCode }) => resolve(statusCode ?? 0),
      );
      outgoing.on('error', reject);
      outgoing.end(large);
    });
    expect(answer).toBe(413);
    expect(await countSets()).toBe(0);
  });

  it('leave nothing behind when their sender hangs up', async () => {
    const [before] = await rows<{ count: string }>(gateway.database, `SELECT count(*) FROM promo_sets`);
    const outgoing = httpRequest(`${gateway.address}${GLOBAL}`, {
      method: 'POST',
      headers: {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'x-access-token': shop,
        'content-length': 50_000_00,
      },
    });
    outgoing.on('error', () => undefined);
    outgoing.write(form(Buffer.alloc(3 * PROMO_CHUNK_BYTES, 'CODE\n')).subarray(0, -20));
    const isStored = async (): Promise<boolean> =>
      (
        await rows(
          gateway.database,
          `SELECT 1 FROM promo_chunks c JOIN promo_sets s USING (set_id) WHERE s.state = 'uploading'`,
        )
      ).length > 0;
    while (!(await isStored()));
    outgoing.destroy();
    while (await isStored());
    while ((await countSets()) > 0);
    expect(await rows(gateway.database, `SELECT count(*) FROM promo_sets`)).toEqual([before]);
  });

  it('can go on by themselves, and be followed', async () => {
    isWorkerAwake = false;
    const accepted = await post(`${CAMPAIGN}?async=true`, form('J1\nJ2\nJ1'));
    expect(accepted).toMatchObject({
      status: 202,
      body: { jobId: expect.any(String), promoSetId: accepted.body.jobId },
    });
    const job = `/api/promo/jobs/${accepted.body.jobId}`;
    expect((await get(job)).body).toEqual({
      jobId: accepted.body.jobId,
      promoSetId: accepted.body.jobId,
      trackId: 'spring sale',
      status: 'importing',
      reason: null,
      bytes: 8,
      bytesImported: 0,
      rows: 0,
      totalRows: null,
      createdAt: expect.any(String),
      finishedAt: null,
    });
    // A caller who waits longer than the limit gets the same answer.
    const config = gateway.app.get<{ promoWaitSeconds: number }>(CONFIG);
    const { promoWaitSeconds } = config;
    config.promoWaitSeconds = 0;
    expect(await post(CAMPAIGN, form('K'))).toMatchObject({ status: 202, body: { jobId: expect.any(String) } });
    config.promoWaitSeconds = promoWaitSeconds;
    isWorkerAwake = true;
    let read = await get(job);
    while (read.body.status === 'importing') read = await get(job);
    expect(read.body).toMatchObject({ status: 'done', rows: 3, totalRows: 2, finishedAt: expect.any(String) });
    const bad = await post(`${GLOBAL}?async=1`, form('A,B'));
    let failed = await get(`/api/promo/jobs/${bad.body.jobId}`);
    while (failed.body.status === 'importing') failed = await get(`/api/promo/jobs/${bad.body.jobId}`);
    expect(failed.body).toMatchObject({
      status: 'failed',
      promoSetId: 'shop',
      reason: expect.stringMatching(/^line 1:/),
    });
    expect((await post(`${GLOBAL}?async=soon`, form('A'))).body.error.details[0].path).toBe('async');
    expect((await get(job, other)).status).toBe(404);
    expect((await get('/api/promo/jobs/none')).status).toBe(404);
  });

  it('can be looked at: what is left, who was given which', async () => {
    await post(GLOBAL, form(Array.from({ length: 30 }, (_, i) => `-L${i}`).join('\n')));
    const message = randomUUID();
    const users = Array.from({ length: 12 }, (_, i) => `user ${i}`);
    await claim(users, null, message);
    await claim(['user 3'], null);
    const set = (await get('/api/promo/sets/shop')).body;
    expect(set).toMatchObject({
      promoSetId: 'shop',
      trackId: null,
      inForce: true,
      total: 30,
      assigned: 13,
      remaining: 17,
    });
    expect((await get(`/api/promo/sets/${set.id}`)).body).toEqual(set);
    expect((await get('/api/promo/sets?inForce=true&limit=1')).body.sets).toHaveLength(1);
    const listed = (await get('/api/promo/sets?inForce=true&trackId=spring%20sale')).body.sets;
    expect(listed.map(({ trackId }: { trackId: string }) => trackId)).toEqual(['spring sale']);

    const page = (await get(`/api/promo/sets/shop/assignments?limit=7`)).body;
    const rest = (await get(`/api/promo/sets/shop/assignments?limit=7&cursor=${page.nextCursor}`)).body;
    const codes = [...page.assignments, ...rest.assignments].map(({ code }: { code: string }) => code);
    expect(codes).toEqual(Array.from({ length: 13 }, (_, i) => `-L${i}`));
    expect([page.assignments.length, rest.nextCursor]).toEqual([7, null]);
    const mine = (await get(`/api/promo/sets/shop/assignments?user=user%203`)).body.assignments;
    expect(mine.map(({ code }: { code: string }) => code)).toEqual(['-L3', '-L12']);
    const ofMessage = (await get(`/api/promo/sets/shop/assignments?user=user%203&message=${message}`)).body.assignments;
    expect(ofMessage).toEqual([{ code: '-L3', userId: 'user 3', messageId: message, claimedAt: expect.any(String) }]);
    expect((await get(`/api/promo/sets/shop/assignments?message=x&cursor=y`)).body.error.details).toHaveLength(2);
    const beyond = Buffer.from('2147483648').toString('base64url');
    expect((await get(`/api/promo/sets/shop/assignments?cursor=${beyond}`)).status).toBe(400);

    const csv = await get(`/api/promo/sets/shop/assignments/export?message=${message}`);
    expect(csv.headers['content-type']).toContain('text/csv');
    const lines = String(csv.body).split('\r\n');
    expect(lines[0]).toBe('code,userId,messageId,claimedAt');
    expect(lines[1]).toMatch(new RegExp(`^'-L0,user 0,${message},`));
    expect(lines).toHaveLength(14);

    expect((await get('/api/promo/sets', other)).body.sets).toEqual([]);
    for (const path of ['', '/assignments', '/assignments/export']) {
      expect((await get(`/api/promo/sets/${set.id}${path}`, other)).status).toBe(404);
      expect((await get(`/api/promo/sets/shop${path}`, other)).status).toBe(404);
    }
  });

  it('tell the webhooks once when few are left, and again with the next set', async () => {
    await rows(
      gateway.database,
      `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
       VALUES ('shop', gen_random_uuid(), 'https://hooks.example', '{promo.low_stock}', '', now(), now())`,
    );
    const events = async (): Promise<unknown[]> =>
      (
        await rows<{ data: unknown }>(
          gateway.database,
          `SELECT data FROM webhook_events ORDER BY created_at, data->>'remaining'`,
        )
      ).map(({ data }) => data);
    const { body: first } = await post(CAMPAIGN, form('W1\nW2\nW3\nW4'));
    expect(await put(`/api/promo/sets/${first.promoSetId}`, { lowStockAt: 2 })).toMatchObject({
      status: 200,
      body: { lowStockAt: 2, isLow: false },
    });
    await claim(['a']);
    expect(await events()).toEqual([]);
    await claim(['b']);
    await claim(['c']);
    const low = { promoSetId: first.promoSetId, trackId: 'spring sale', remaining: 2, lowStockAt: 2 };
    expect(await events()).toEqual([low]);
    expect((await get(`/api/promo/sets/${first.promoSetId}`)).body).toMatchObject({ isLow: true, remaining: 1 });
    const { body: second } = await post(CAMPAIGN, form('X1\nX2\nX3'));
    await claim(['d']);
    expect(await events()).toHaveLength(2);
    expect((await get(`/api/promo/sets/${second.promoSetId}`)).body).toMatchObject({ lowStockAt: 2, isLow: true });
    expect((await put(`/api/promo/sets/${first.promoSetId}`, { lowStockAt: 1 })).status).toBe(409);
    expect((await put(`/api/promo/sets/${second.promoSetId}`, {})).body.error.details[0].path).toBe('lowStockAt');
    expect((await put(`/api/promo/sets/${second.promoSetId}`, { lowStockAt: null })).body).toMatchObject({
      isLow: false,
    });
    expect((await put(`/api/promo/sets/${second.promoSetId}`, { lowStockAt: 1 }, other)).status).toBe(404);
  });
});
