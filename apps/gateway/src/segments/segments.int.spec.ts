import { randomUUID } from 'node:crypto';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { rows } from '@postrider/persistence';
import { configureVendor, emptyTables } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('segments', () => {
  let gateway: TestGateway;
  let server: string;
  let stranger: string;
  let phones: Record<'ada' | 'ben' | 'cleo' | 'dan', string>;

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, `/api/segments${path}`, { body, headers: { 'x-access-token': token } });
  const send = (body: object, path = 'byQuery', token = server): Promise<TestAnswer> =>
    gateway.request('POST', `/api/push/${path}`, { body, headers: { 'x-access-token': token } });
  const paths = ({ body }: TestAnswer): string[] => body.error.details.map(({ path }: { path: string }) => path);
  const register = async (device: object, token = server): Promise<string> => {
    const answer = await gateway.request('POST', '/api/installations', {
      body: { deviceType: 'android', deviceToken: randomUUID(), ...device },
      headers: { 'x-access-token': token },
    });
    expect(answer.status).toBe(200);
    return answer.body.id as string;
  };

  beforeAll(async () => {
    gateway = await startTestGateway({ publicDocs: true });
    server = await gateway.application('shop');
    stranger = await gateway.application('other');
    await configureVendor(gateway.database, 'shop', 'fcm');
    phones = {
      ada: await register({ userId: 'ada', osVersion: '12', location: { lat: 52.52, lng: 13.4 } }),
      ben: await register({ userId: 'ben', osVersion: '9.2', subscriptions: ['alerts'] }),
      cleo: await register({ userId: 'cleo', osVersion: '11', deviceToken: 'NOT_EXIST' }),
      dan: await register({ userId: 'dan', osVersion: '14', subscriptions: ['alerts'], deviceType: 'ios' }),
    };
    await gateway.request('GET', `/api/installations/addTag/ada/vip?access_token=${server}`);
    await gateway.request('POST', '/api/installations/attributes', {
      body: { userId: 'ada', attributes: { 'purchase.count': 3 } },
      headers: { 'x-access-token': server },
    });
  });

  afterAll(() => gateway.close());
  beforeEach(() => emptyTables(gateway.database, 'segments'));

  it('are written about fields and values that devices have', async () => {
    interface Field {
      name: string;
      values: { value: unknown; devices: number }[];
    }
    const { status, body } = await call('GET', '/fields');
    expect(status).toBe(200);
    expect(body.devices).toBe(4);
    const valuesOf = (name: string): unknown =>
      (body.fields as Field[])
        .find((field) => field.name === name)
        ?.values.map(({ value, devices }) => [value, devices]);
    expect(valuesOf('deviceType')).toEqual([
      ['android', 3],
      ['ios', 1],
    ]);
    expect(valuesOf('tags')).toEqual([['vip', 1]]);
    // A value that only one person has is not shown.
    expect(valuesOf('purchase.count')).toEqual([]);
    expect(valuesOf('clientVersion')).toBeUndefined();
    for (const userId of ['ben', 'cleo']) {
      const written = await gateway.request('POST', '/api/installations/attributes', {
        body: { userId, attributes: { city: 'Graz', note: 'n'.repeat(200) } },
        headers: { 'x-access-token': server },
      });
      expect(written).toMatchObject({ status: 200 });
      await gateway.request('POST', '/api/installations/addValueTag', {
        body: { userId, tag: 'plan', value: 'gold' },
        headers: { 'x-access-token': server },
      });
    }
    const tagBen = (edit: string): Promise<unknown> =>
      gateway.request('POST', `/api/installations/${edit}`, {
        body: { userId: 'ben', tags: ['second'] },
        headers: { 'x-access-token': server },
      });
    await tagBen('addTags');
    const after = await call('GET', '/fields');
    await tagBen('removeTags');
    // A device with two tags is one device.
    expect((after.body.fields as Field[]).find(({ name }) => name === 'tags')).toMatchObject({ devices: 3 });
    Object.assign(body, after.body);
    expect(valuesOf('city')).toEqual([['Graz', 2]]);
    expect(valuesOf('tags.plan')).toEqual([['gold', 2]]);
    expect(valuesOf('note')).toEqual([]);
    expect((await call('GET', '/fields', undefined, stranger)).body).toEqual({ devices: 0, fields: [] });
  });

  it('are written about no attribute with the name of another field', async () => {
    const attributes = { deviceType: 'fridge', tags: 'gold', 'tags.plan': 'free', launchCount: 3, online: true };
    const setTo = (changes: object): Promise<TestAnswer> =>
      gateway.request('POST', '/api/installations/attributes', {
        body: { userId: 'ben', attributes: changes },
        headers: { 'x-access-token': server },
      });
    const before = (await call('GET', '/fields')).body;
    expect((await setTo(attributes)).status).toBe(200);
    expect((await call('GET', '/fields')).body).toEqual(before);
    await setTo(Object.fromEntries(Object.keys(attributes).map((name) => [name, null])));
  });

  const NEW_PHONES = { all: [{ name: 'osVersion', operator: 'greater_than', value: '10' }] };

  it('are kept under names, listed, changed and forgotten', async () => {
    const made = await call('POST', '', { name: 'New phones', segment: NEW_PHONES });
    expect(made).toMatchObject({ status: 201, body: { name: 'New phones', segment: NEW_PHONES } });
    expect(made.body).not.toHaveProperty('target');
    const { id } = made.body;
    expect((await call('GET', `/${id}`)).body).toEqual(made.body);
    const taken = await call('POST', '', { name: 'New phones', segment: NEW_PHONES });
    expect(taken.status).toBe(409);
    expect(paths(taken)).toEqual(['name']);
    const other = await call('POST', '', { name: 'Android', target: { deviceType: 'android' } });
    const first = await call('GET', '?limit=1');
    expect(first.body.segments).toEqual([other.body]);
    const second = await call('GET', `?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({ segments: [made.body], nextCursor: null });
    expect((await call('PUT', `/${id}`, { name: 'Android', segment: NEW_PHONES })).status).toBe(409);
    const changed = await call('PUT', `/${id}`, { name: 'Newer', target: { deviceType: 'ios' } });
    expect(changed).toMatchObject({ status: 200, body: { id, name: 'Newer', target: { deviceType: 'ios' } } });
    expect(changed.body).not.toHaveProperty('segment');
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { id } });
    for (const method of ['GET', 'DELETE']) expect((await call(method, `/${id}`)).status).toBe(404);
    expect((await call('PUT', `/${id}`, { name: 'x', segment: NEW_PHONES })).status).toBe(404);
  });

  it('are found by a part of their name, in any script and case, a part of the list at a time', async () => {
    const names = ['ÜBER 100 %_visits', 'Überall', 'پاییز ۱۴۰۵', 'Lapsed'];
    const token = await gateway.application('finder');
    for (const name of names) await call('POST', '', { name, segment: NEW_PHONES }, token);
    const found = async (part: string, query = ''): Promise<TestAnswer['body']> =>
      (await call('GET', `?name=${encodeURIComponent(part)}${query}`, undefined, token)).body;
    const namesOf = ({ segments }: TestAnswer['body']): string[] => segments.map(({ name }: { name: string }) => name);
    expect(namesOf(await found('über'))).toEqual(['Überall', 'ÜBER 100 %_visits']);
    expect(namesOf(await found('u\u0308BER'))).toEqual(['Überall', 'ÜBER 100 %_visits']);
    expect(namesOf(await found('%_'))).toEqual(['ÜBER 100 %_visits']);
    expect(namesOf(await found('پاییز'))).toEqual(['پاییز ۱۴۰۵']);
    expect(namesOf(await found('nothing like it'))).toEqual([]);
    expect(namesOf(await found(''))).toEqual([...names].reverse());
    const first = await found('über', '&limit=1');
    expect(namesOf(first)).toEqual(['Überall']);
    expect(namesOf(await found('über', `&limit=1&cursor=${first.nextCursor}`))).toEqual(['ÜBER 100 %_visits']);
    expect((await call('GET', `?name=${'x'.repeat(256)}`, undefined, token)).status).toBe(400);
  });

  it('that two people change are not overwritten: the later change names the revision that it was made from', async () => {
    const { body: made } = await call('POST', '', { name: 'Shared', segment: NEW_PHONES });
    const change = (name: string, revision?: number): Promise<TestAnswer> =>
      call('PUT', `/${made.id}`, { name, segment: NEW_PHONES, revision });
    const answers = await Promise.all(['Hers', 'His'].map((name) => change(name, made.revision)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const saved = answers.find(({ status }) => status === 200)?.body;
    const refused = answers.find(({ status }) => status === 409)?.body;
    expect(saved).toMatchObject({ revision: 2 });
    expect(refused.error).toMatchObject({ code: 'EDIT_CONFLICT', current: saved });
    expect((await call('GET', `/${made.id}`)).body).toEqual(saved);
    expect(await change('Without a revision')).toMatchObject({ status: 200, body: { revision: 3 } });
    expect(paths(await call('PUT', `/${made.id}`, { name: 'x', segment: NEW_PHONES, revision: 0 }))).toEqual([
      'revision',
    ]);
  });

  it('are refused with every bad field named, and a list with a bad cursor', async () => {
    expect(paths(await call('POST', '', {}))).toEqual(['name', 'target']);
    expect(paths(await call('POST', '', { name: '', segment: { all: [] } }))).toEqual(['name', 'segment.all']);
    expect(paths(await call('POST', '', { name: 'x', target: 5 }))).toEqual(['target']);
    expect(
      paths(
        await call('POST', '', { name: 'x', segment: { all: [{ name: 'osVersion', operator: 'like', value: 1 }] } }),
      ),
    ).toEqual(expect.arrayContaining(['segment.all[0].operator']));
    expect(paths(await call('GET', '?cursor=xx&limit=0'))).toEqual(['cursor', 'limit']);
    expect((await call('GET', '/not-an-id')).status).toBe(404);
    expect((await call('POST', '/count', { segment: {} })).status).toBe(400);
    expect(paths(await call('POST', '/count', { segment: NEW_PHONES, channel: 'a b' }))).toEqual(['channel']);
    expect(paths(await call('POST', '/explain', { segment: NEW_PHONES, userId: 'a', installationId: 'b' }))).toEqual([
      'installationId',
    ]);
  });

  it('hold rules, and never the id of another saved segment', async () => {
    const { body } = await call('POST', '', { name: 'other', segment: NEW_PHONES });
    for (const id of [body.id, randomUUID(), 7, true, {}, []]) {
      expect([id, paths(await call('POST', '', { name: 'by id', segment: { id } }))]).toEqual([id, ['segment.id']]);
      expect([id, paths(await call('PUT', `/${body.id}`, { name: 'other', segment: { id } }))]).toEqual([
        id,
        ['segment.id'],
      ]);
    }
    expect((await call('POST', '/count', { segment: { id: body.id } })).status).toBe(200);
  });

  it('are sent to by id, as they stood when the message was accepted', async () => {
    const { body } = await call('POST', '', { name: 'sent', segment: NEW_PHONES });
    const byId = { content: 'Hello', segment: { id: body.id } };
    const sent = await send(byId);
    expect(sent).toMatchObject({ status: 200, body: { count: 1 } });
    expect((await send({ ...byId, target: { deviceType: 'ios' } })).body).toEqual({ count: 0 });
    expect((await send(byId, 'notifyUsers')).body).toEqual({ count: 1 });
    expect((await send(byId, 'byQuery?dryRun=true')).body).toMatchObject({ count: 1, byVendor: { fcm: 1 } });
    await call('PUT', `/${body.id}`, { name: 'sent', target: { deviceType: 'tv' } });
    const [stored] = await rows<{ audience: object }>(gateway.database, `SELECT audience FROM messages WHERE id = $1`, [
      sent.headers['x-message-id'],
    ]);
    expect(stored?.audience).toEqual({ segment: NEW_PHONES, channel: 'public/default' });
    expect((await send(byId)).body).toEqual({ count: 0 });
    expect(paths(await send({ ...byId, target: { deviceType: 'ios' } }))).toEqual(['target.deviceType']);
    await call('DELETE', `/${body.id}`);
    expect(paths(await send(byId))).toEqual(['segment.id']);
    expect(paths(await send({ content: 'x', segment: { id: 7 } }))).toEqual(['segment.id']);
    expect(paths(await send({ content: 'x', segment: { id: randomUUID(), all: [], x: 1 } }))).toEqual([
      'segment.all',
      'segment.x',
    ]);
    expect(paths(await send({ segment: { id: randomUUID() } }))).toEqual(['content']);
  });

  it('count what a send would reach, all devices, and their users', async () => {
    await register({ userId: 'ada', osVersion: '13' });
    const counted = await call('POST', '/count', { segment: NEW_PHONES, users: true });
    expect(counted).toMatchObject({
      status: 200,
      body: { count: 2, devices: 4, users: 3, tookMs: expect.any(Number) },
    });
    expect((await send({ content: 'x', segment: NEW_PHONES })).body).toEqual({ count: 2 });
    const inChannel = await call('POST', '/count', { segment: NEW_PHONES, channel: 'private/alerts' });
    expect(inChannel.body).toEqual({
      ...{ count: 0, devices: 1, tookMs: expect.any(Number) },
      waitingForVendors: [{ vendor: 'apns', devices: 1 }],
    });
    await rows(gateway.database, `DELETE FROM installations WHERE user_id = 'ada' AND os_version = '13'`);
  });

  it('explain which rule removes or adds how many, as the API document describes it', async () => {
    const { status, body } = await call('POST', '/explain', {
      target: { deviceType: 'android' },
      segment: {
        all: [{ name: 'osVersion', operator: 'greater_than', value: '10' }],
        any: [
          { name: 'tags', operator: 'include', value: ['vip'] },
          { all: [{ name: 'purchase.count', operator: 'greater_than', value: 10 }] },
        ],
        none: [{ name: 'userId', operator: 'equal_to', value: 'nobody' }],
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 1, devices: 1, tookMs: expect.any(Number) });
    expect(body.rules).toEqual([
      { path: 'target.deviceType', alone: 3, without: 1, removes: 0 },
      { path: 'segment.all[0]', alone: 3, without: 1, removes: 0 },
      { path: 'segment.any[0]', alone: 1, without: 0, removes: -1 },
      { path: 'segment.any[1].all[0]', alone: 0, without: 1, removes: 0 },
      { path: 'segment.none[0]', alone: 0, without: 1, removes: 0 },
    ]);
    const document = (await gateway.request('GET', '/api/openapi.json')).body as { components: object };
    const ajv = addFormats(new Ajv2020({ strict: false, validateSchema: false })).addSchema({
      $id: 'document',
      ...document,
    });
    ajv.validate('document#/components/schemas/SegmentExplanationResponse', body);
    expect(ajv.errors ?? []).toEqual([]);
    const single = await call('POST', '/explain', { segment: NEW_PHONES });
    expect(single.body.rules).toEqual([{ path: 'segment.all[0]', alone: 3, without: 4, removes: 1 }]);
  });

  it('say in words why a device is in or out', async () => {
    const why = async (userId: string, rule: object, more: object = {}): Promise<string[]> => {
      const { body } = await call('POST', '/explain', { segment: { all: [rule] }, userId, ...more });
      return body.explained[0].reasons as string[];
    };
    const newPhone = NEW_PHONES.all[0]!;
    const bought = { name: 'purchase.count', operator: 'greater_than', value: 2 };
    expect(await why('ada', newPhone)).toEqual(['system version "12" is greater than "10"']);
    expect(await why('ben', newPhone)).toEqual(['system version "9.2" is not greater than "10"']);
    expect(await why('cleo', newPhone)).toEqual(['has no usable token: it registered none']);
    expect(await why('dan', newPhone)).toEqual(['cannot be reached: the application has no credentials for apns']);
    expect(await why('ada', newPhone, { channel: '/private/alerts' })).toEqual([
      'is not a member of channel private/alerts',
    ]);
    expect(await why('ben', bought)).toEqual(['has no attribute "purchase.count"']);
    expect(await why('ada', bought)).toEqual(['attribute "purchase.count" 3 is greater than 2']);
    expect(await why('ada', { ...bought, value: '2' })).toEqual([
      'attribute "purchase.count" 3 is not greater than "2"',
    ]);
    expect(await why('ben', { name: 'tags', operator: 'include', value: ['vip', 'new'] })).toEqual([
      'carries none of the tags "vip" or "new"',
    ]);
    expect(await why('ada', { name: 'tags', operator: 'not_equal', value: 'vip' })).toEqual(['carries the tag "vip"']);
    expect(await why('ada', { name: 'tags.vip', operator: 'equal_to', value: 'gold' })).toEqual([
      'tag "vip" has no value',
    ]);
    expect(await why('ben', { name: 'nearBy', operator: 'include', value: [52.52, 13.4, 100] })).toEqual([
      'has no location',
    ]);
    expect(await why('ada', { name: 'nearBy', operator: 'include', value: [52.53, 13.4, 100] })).toEqual([
      'location is not within 100 m around 52.53, 13.4: it is 1112 m away',
    ]);
    expect((await why('ada', { name: 'launchTime', operator: 'before', value: '6h' }))[0]).toMatch(
      /^last visit was \d+ \w+ \d{4} at \d\d:\d\d UTC, within 6 hours$/,
    );
    const one = await call('POST', '/explain', { segment: NEW_PHONES, installationId: phones.ben });
    expect(one.body.explained).toEqual([
      {
        installationId: phones.ben,
        userId: 'ben',
        isIn: false,
        isMatch: false,
        isMember: true,
        isReachable: true,
        reasons: ['system version "9.2" is not greater than "10"'],
        rules: [{ path: 'segment.all[0]', holds: false, why: 'system version "9.2" is not greater than "10"' }],
      },
    ]);
    expect((await call('POST', '/explain', { segment: NEW_PHONES, userId: 'nobody' })).status).toBe(404);
    expect((await call('POST', '/explain', { segment: NEW_PHONES, installationId: 'x' })).status).toBe(404);
  });

  it('are written out as CSV that no spreadsheet runs', async () => {
    const token = await gateway.application('sheets');
    await register({ userId: '=HYPERLINK("x"),\n1', deviceType: 'tv', clientVersion: '-1', osVersion: '@x' }, token);
    const { body } = await call('POST', '', { name: 'tv', target: { deviceType: 'tv' } }, token);
    const csv = await call('GET', `/${body.id}/export`, undefined, token);
    expect(csv.status).toBe(200);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.body).toMatch(
      /^installationId,userId,deviceType,clientVersion,osVersion,launchTime,tags\r\n[0-9a-f-]{36},"'=HYPERLINK\(""x""\),\n1",tv,'-1,'@x,2[^,]*Z,\r\n$/,
    );
    const all = await call('POST', '/export', {
      segment: { all: [{ name: 'tags', operator: 'include', value: ['vip'] }] },
    });
    expect(all.body.split('\r\n')[1]).toContain(',ada,android,');
    expect((await call('POST', '/export', { segment: { all: [] } })).status).toBe(400);
    expect((await call('GET', `/${randomUUID()}/export`)).status).toBe(404);
  });

  it('keep applications apart', async () => {
    const { body } = await call('POST', '', { name: 'mine', segment: NEW_PHONES });
    for (const [method, path] of [
      ['GET', `/${body.id}`],
      ['DELETE', `/${body.id}`],
      ['GET', `/${body.id}/export`],
    ] as const) {
      expect((await call(method, path, undefined, stranger)).status).toBe(404);
    }
    expect((await call('PUT', `/${body.id}`, { name: 'x', segment: NEW_PHONES }, stranger)).status).toBe(404);
    expect((await call('GET', '', undefined, stranger)).body.segments).toEqual([]);
    expect((await call('POST', '', { name: 'mine', segment: NEW_PHONES }, stranger)).status).toBe(201);
    expect(paths(await send({ content: 'x', segment: { id: body.id } }, 'byQuery', stranger))).toEqual(['segment.id']);
    expect((await call('POST', '/count', { segment: NEW_PHONES, users: true }, stranger)).body).toMatchObject({
      devices: 0,
      users: 0,
    });
    expect((await call('POST', '/export', { segment: NEW_PHONES }, stranger)).body).toMatch(/^installationId.*\r\n$/);
    const asked = { segment: NEW_PHONES, installationId: phones.ada };
    expect((await call('POST', '/explain', asked, stranger)).status).toBe(404);
    const addressed = await gateway.request('GET', `/apps/shop/api/segments?access_token=${stranger}`);
    expect(addressed.status).toBe(401);
  });

  it('ask for the scope that fits', async () => {
    const read = await gateway.token('shop', ['read']);
    const sender = await gateway.token('shop', ['send']);
    const client = await gateway.token('shop', ['devices']);
    expect((await call('GET', '', undefined, read)).status).toBe(200);
    expect((await call('POST', '', { name: 'r', segment: NEW_PHONES }, read)).status).toBe(403);
    expect((await call('POST', '', { name: 'r', segment: NEW_PHONES }, sender)).status).toBe(201);
    expect((await call('POST', '/export', { segment: NEW_PHONES }, sender)).status).toBe(403);
    for (const path of ['/count', '/explain', '/export']) {
      expect((await call('POST', path, { segment: NEW_PHONES }, client)).status).toBe(403);
    }
  });

  it('tell how big they were, to their own application only', async () => {
    const { id } = (await call('POST', '', { name: 'Measured', segment: NEW_PHONES })).body;
    const empty = await call('GET', `/${id}/sizes`);
    expect(empty).toMatchObject({ status: 200, body: { id, sizes: [] } });
    await rows(
      gateway.database,
      `INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable, users)
       VALUES ('shop', $1, '2026-03-01T10:00:00Z', 12, 9, 7), ('shop', $1, '2026-03-01T11:00:00Z', 14, 10, NULL)`,
      [id],
    );
    const [first, second] = [
      { at: '2026-03-01T10:00:00.000Z', devices: 12, reachable: 9, users: 7 },
      { at: '2026-03-01T11:00:00.000Z', devices: 14, reachable: 10, users: null },
    ];
    expect((await call('GET', `/${id}/sizes`)).body.sizes).toEqual([first, second]);
    expect((await call('GET', `/${id}/sizes?from=2026-03-01T10:30:00Z`)).body.sizes).toEqual([second]);
    expect((await call('GET', `/${id}/sizes?to=2026-03-01T11:00:00Z`)).body.sizes).toEqual([first]);

    // Both sizes belong to its former rules.
    expect((await call('GET', `/${id}`)).body.size).toBeNull();
    const later = '2999-03-01T10:00:00.000Z';
    await rows(
      gateway.database,
      `INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable, users) VALUES ('shop', $1, $2, 3, 2, 1)`,
      [id, later],
    );
    const size = { at: later, devices: 3, reachable: 2, users: 1 };
    expect((await call('GET', `/${id}`)).body.size).toEqual(size);
    expect((await call('GET', '')).body.segments[0]).toMatchObject({ id, size });

    expect((await call('GET', '?limit=1')).body.segments[0]).not.toHaveProperty('trend');
    await rows(
      gateway.database,
      `INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable, users)
       VALUES ('shop', $1, '2999-03-01T09:00:00Z', 8, 2, 1), ('shop', $1, '2999-03-02T09:00:00Z', 5, 4, NULL)`,
      [id],
    );
    expect((await call('GET', '?limit=1&trend=true')).body.segments[0].trend).toEqual([
      size,
      { at: '2999-03-02T09:00:00.000Z', devices: 5, reachable: 4, users: null },
    ]);

    expect((await call('GET', `/${id}/sizes`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', '/none/sizes')).status).toBe(404);
    const bad = await call('GET', `/${id}/sizes?from=yesterday&to=x`);
    expect([bad.status, paths(bad)]).toEqual([400, ['from', 'to']]);
    await call('DELETE', `/${id}`);
    expect(await rows(gateway.database, 'SELECT 1 FROM segment_sizes WHERE segment_id = $1', [id])).toEqual([]);
  });
});
