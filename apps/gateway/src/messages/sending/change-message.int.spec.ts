import { resolveSlice } from '@postrider/audience';
import { rows } from '@postrider/persistence';
import { addDevice, configureVendor, TestClock, untilTrue, emptyTables, whileHolding } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const DAY_MS = 86_400_000;

describe('a scheduled message', () => {
  const clock = new TestClock();
  const inDays = (days: number): string => new Date(clock.now().getTime() + days * DAY_MS).toISOString();
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock);
    token = await gateway.application('shop', ['send', 'read']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada', tags: ['vip'] });
  });
  afterAll(() => gateway.close());
  beforeEach(() => emptyTables(gateway.database, 'messages', 'pages', 'deliveries', 'fallbacks'));

  function call(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    const mark = path.includes('?') ? '&' : '?';
    return gateway.request(method, `/api/push/${path}${mark}access_token=${token}`, { body });
  }

  async function send(fields: object, endpoint = 'byQuery'): Promise<string> {
    const form = endpoint === 'byQuery' ? { target: { tags: 'vip' } } : { user: 'ada' };
    const answer = await call('POST', endpoint, { content: 'Before', sendAt: inDays(1), ...form, ...fields });
    expect(answer.status).toBe(200);
    return String(answer.headers['x-message-id']);
  }

  async function row(id: string): Promise<Record<string, unknown>> {
    const [found] = await rows<Record<string, unknown>>(gateway.database, 'SELECT * FROM messages WHERE id = $1', [id]);
    return found ?? {};
  }

  const late = { status: 409, body: { error: { code: 'CONFLICT' } } };
  /** Does what a worker does when it is woken at `now`. */
  const resolve = (messageId: string, executor = gateway.database.manager, now = clock.now()) =>
    resolveSlice(executor, { appId: 'shop', messageId, now, windowSize: 100, sliceSize: 100, pageSize: 10 });

  it('is not given an integer in its data that JSON would change', async () => {
    const id = await send({ data: { order: 1 } });
    const changed = await call('PATCH', `campaigns/${id}`, '{"data":{"order":9007199254740993}}');
    expect(changed).toMatchObject({ status: 400, body: { error: { details: [{ path: 'data.order' }] } } });
    expect((await call('GET', `campaigns/${id}`)).body).toMatchObject({ content: { data: { order: 1 } } });
  });

  it('shows when it leaves, and can be moved later and earlier', async () => {
    const id = await send({ ttl: 3_600 });
    const path = `campaigns/${id}`;
    expect((await call('GET', path)).body).toMatchObject({ sendAt: inDays(1), startsAt: inDays(1) });
    for (const at of [inDays(9), inDays(2), new Date(clock.now().getTime() + 60_000).toISOString()]) {
      const moved = await call('PATCH', path, { sendAt: at });
      expect(moved).toMatchObject({
        status: 200,
        body: { id, sendAt: at, startsAt: at, content: { content: 'Before' } },
      });
      const expiresAt = new Date(Date.parse(at) + 3_600_000);
      expect(await row(id)).toMatchObject({ expires_at: expiresAt, wake_at: new Date(Date.parse(at) - 5_000) });
      expect(await resolve(id)).toMatchObject({ kind: 'early', startsAt: new Date(at) });
    }
    clock.advance(60_000);
    expect(await resolve(id)).toMatchObject({ kind: 'resolved', reached: 1 });
  });

  it('can be edited by the rules of a send: fields are set, replaced and removed, the others stay', async () => {
    const id = await send({
      data: { a: null, list: [1] },
      alertText: 'Look',
      fancy: { x: 1 },
      rate: 5,
      notification: {
        title: 'T',
        clickUrl: 'shop://x',
        image: 'https://x.example/i.png',
        actions: [{ id: 'a', hint: 1 }],
      },
    });
    const before = await row(id);
    expect(await call('PATCH', `campaigns/${id}`, { content: 'After {{ user.name }}' })).toMatchObject({ status: 200 });
    expect((await row(id)).content).toEqual({ ...(before.content as object), content: 'After {{ user.name }}' });
    const changes = {
      alertText: null,
      fancy: null,
      other: 2,
      rate: null,
      notification: { title: 'New' },
      silent: true,
    };
    const { body } = await call('PATCH', `campaigns/${id}`, changes);
    expect(body).toMatchObject({
      rate: null,
      sendAt: inDays(1),
      content: { silent: true, notification: { title: 'New' } },
    });
    expect(body.content).toMatchObject({ data: { a: null, list: [1] }, extra: { other: 2 } });
    expect(body.content).not.toHaveProperty('alertText');
    const changed = { content: null, rate: null, revision: null, wake_at: null };
    expect({ ...(await row(id)), ...changed }).toEqual({ ...before, ...changed });
  });

  it('may be as big as the devices of its channel can get', async () => {
    await addDevice(gateway.database, { appId: 'shop', userId: 'bob', tags: ['club'] });
    await addDevice(gateway.database, { appId: 'shop', userId: 'cem', tags: ['club'] });
    await rows(
      gateway.database,
      `UPDATE installations SET channels = ARRAY['private/club'], token = NULL, push_type = NULL, realtime = true
       WHERE user_id = 'bob'`,
    );
    const big = 'x'.repeat(5_000);
    const id = await send({ target: { tags: 'club' }, channel: 'private/club', content: big });
    expect(await call('PATCH', `campaigns/${id}`, { data: { a: 1 } })).toMatchObject({
      status: 200,
      body: { channel: 'private/club', content: { content: big, data: { a: 1 } } },
    });
    expect(await call('PATCH', `campaigns/${id}`, { channel: null })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'channel' }] } },
    });
  });

  it('keeps what clocks show, and counts a moved local time from now', async () => {
    const local = inDays(2).slice(0, 19);
    const id = await send({ sendAt: local, localTime: true });
    expect((await call('PATCH', `campaigns/${id}`, { content: 'x' })).body).toMatchObject({
      sendAt: local,
      localTime: true,
    });
    const later = inDays(3).slice(0, 19);
    expect((await call('PATCH', `campaigns/${id}`, { sendAt: later })).body).toMatchObject({ sendAt: later });
    expect(await call('PATCH', `campaigns/${id}`, { sendAt: `${later}+01:00` })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'sendAt' }] } },
    });
  });

  it('to named users takes its fallbacks along', async () => {
    const id = await send({ fallback: { content: 'SMS', delay: 60 } }, 'toUsers');
    const due = async (): Promise<unknown> =>
      (await rows<{ due_at: Date }>(gateway.database, 'SELECT due_at FROM fallbacks')).map(({ due_at }) =>
        due_at.toISOString(),
      );
    const after = (at: string, seconds: number): string => new Date(Date.parse(at) + seconds * 1_000).toISOString();
    expect(await due()).toEqual([after(inDays(1), 60)]);
    const moved = { sendAt: inDays(4), fallback: { content: 'Other', delay: 10 } };
    expect(await call('PATCH', `messages/${id}`, moved)).toMatchObject({ status: 200 });
    expect(await due()).toEqual([after(inDays(4), 10)]);
    expect(await call('PATCH', `messages/${id}`, { fallback: null })).toMatchObject({
      status: 200,
      body: { fallback: {} },
    });
    expect(await due()).toEqual([]);
    expect(await call('PATCH', `campaigns/${id}`, { content: 'x' })).toMatchObject({ status: 404 });
  });

  it('is not brought back for a user who is erased while it is changed', async () => {
    const id = await send(
      { user: undefined, users: ['ada', 'bob'], fallback: { content: 'SMS', delay: 60 } },
      'toUsers',
    );
    const changed = await whileHolding(
      gateway.database,
      async (held) => {
        // What the erasure of ada does to the message.
        await held.query(`UPDATE messages SET user_ids = array_remove(user_ids, 'ada') WHERE id = $1`, [id]);
        await held.query(
          `UPDATE fallbacks SET user_id = chr(1) || 'nobody', state = 'cancelled' WHERE user_id = 'ada'`,
        );
      },
      () => call('PATCH', `messages/${id}`, { sendAt: inDays(4) }),
    );
    expect(changed.status).toBe(200);
    const waiting = await rows(gateway.database, `SELECT user_id FROM fallbacks WHERE state = 'waiting'`);
    expect(waiting).toEqual([{ user_id: 'bob' }]);
  });

  it.each<[string, unknown, string]>([
    ['no field', {}, ''],
    ['an array', [], ''],
    ['no content', { content: null }, 'content'],
    ['a template that does not parse', { content: '{{ user.name' }, 'content'],
    ['content that is too big', { content: 'x'.repeat(5_000) }, ''],
    ['no time', { sendAt: null }, 'sendAt'],
    ['a time that is over', { sendAt: '2020-01-01T00:00:00Z' }, 'sendAt'],
    ['a time that is too far ahead', { sendAt: '2099-01-01T00:00:00Z' }, 'sendAt'],
    ['another target', { target: { tags: 'all' } }, 'target'],
    ['another channel', { channel: 'sport' }, 'channel'],
    ['another track id', { trackId: 't' }, 'trackId'],
    ['live', { live: true }, 'live'],
    ['local time', { localTime: true }, 'localTime'],
    ['an expected count', { expectedCount: 1 }, 'expectedCount'],
    ['a dangerous link', { notification: { clickUrl: 'javascript:x', title: 't' } }, 'notification.clickUrl'],
  ])('refuses %s, and stays as it is', async (_, changes, path) => {
    const id = await send({});
    const before = await row(id);
    expect(await call('PATCH', `campaigns/${id}`, changes)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path }] } },
    });
    expect(await row(id)).toEqual(before);
  });

  it('cannot be changed once it has left, was cancelled, or was never scheduled', async () => {
    const now = await call('POST', 'byQuery', { target: { tags: 'vip' }, content: 'x' });
    expect(await call('PATCH', `campaigns/${String(now.headers['x-message-id'])}`, { content: 'y' })).toMatchObject(
      late,
    );
    const cancelled = await send({});
    await call('POST', `messages/${cancelled}/cancel`);
    expect(await call('PATCH', `campaigns/${cancelled}`, { content: 'y' })).toMatchObject(late);
    const due = await send({ sendAt: new Date(clock.now().getTime() + 1_000).toISOString() });
    clock.advance(1_000);
    expect(await call('PATCH', `campaigns/${due}`, { sendAt: inDays(1) })).toMatchObject(late);
    const unknown = await call('PATCH', 'campaigns/01932c5e-7f7a-7c3e-8a3b-000000000000', { content: 'y' });
    expect(unknown.status).toBe(404);
  });

  it('is not changed by somebody who has not seen the last change, and says how it is now', async () => {
    const id = await send({});
    expect((await call('GET', `messages/${id}`)).body).toMatchObject({ revision: 0 });
    const first = await call('PATCH', `messages/${id}?revision=0`, { content: 'First' });
    expect(first).toMatchObject({ status: 200, body: { revision: 1 } });
    for (const path of [`messages/${id}`, `campaigns/${id}`]) {
      const second = await call('PATCH', `${path}?revision=0`, { sendAt: inDays(3) });
      expect(second).toMatchObject({
        status: 409,
        body: { error: { code: 'EDIT_CONFLICT', current: { id, revision: 1, content: { content: 'First' } } } },
      });
    }
    expect((await call('GET', `messages/${id}`)).body).toMatchObject({ revision: 1, sendAt: inDays(1) });
    expect(await call('PATCH', `messages/${id}?revision=x`, { content: 'y' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'revision' }] } },
    });
    expect(await call('PATCH', `messages/${id}`, { content: 'Second' })).toMatchObject({ body: { revision: 2 } });
    await call('POST', `messages/${id}/cancel`);
    expect(await call('PATCH', `messages/${id}?revision=0`, { content: 'x' })).toMatchObject(late);
  });

  it('of another application is not found', async () => {
    const id = await send({});
    const bank = await gateway.application('bank', ['send']);
    const path = `/api/push/messages/${id}?access_token=${bank}`;
    expect((await gateway.request('PATCH', path, { body: { content: 'x' } })).status).toBe(404);
  });

  describe('that is changed while it leaves', () => {
    /** The time of a worker whose clock is ahead: for the gateway the message still waits. */
    const ahead = (): Date => new Date(clock.now().getTime() + 2 * DAY_MS);

    it('leaves as it was when the worker has its row first, and the change is refused', async () => {
      const id = await send({});
      const runner = gateway.database.createQueryRunner();
      await runner.startTransaction();
      expect(await resolve(id, runner.manager, ahead())).toMatchObject({ kind: 'resolved', reached: 1 });
      const before = await row(id);
      const change = call('PATCH', `campaigns/${id}`, { content: 'After', sendAt: inDays(5) });
      await untilTrue(async () => {
        const waits = await rows(
          gateway.database,
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE '%UPDATE messages%'`,
        );
        return waits.length > 0;
      });
      await runner.commitTransaction();
      await runner.release();
      expect(await change).toMatchObject(late);
      expect(await row(id)).toMatchObject({ content: before.content, send_at: before.send_at, revision: 0 });
    });

    it('does not leave as the worker read it when the change comes before the worker writes', async () => {
      const id = await send({});
      let asked = 0;
      const manager = new Proxy(gateway.database.manager, {
        get: (target, name) =>
          name !== 'query'
            ? (Reflect.get(target, name) as unknown)
            : async (text: string, values: unknown[]) => {
                asked += 1;
                if (asked === 2) {
                  expect(await call('PATCH', `campaigns/${id}`, { sendAt: inDays(5) })).toMatchObject({ status: 200 });
                }
                return target.query<unknown>(text, values);
              },
      });
      expect(await resolve(id, manager, ahead())).toEqual({ kind: 'taken' });
      expect(await resolve(id, undefined, ahead())).toMatchObject({ kind: 'early', startsAt: new Date(inDays(5)) });
      expect(await rows(gateway.database, 'SELECT 1 FROM pages')).toEqual([]);
    });

    it('takes the changes of two people one after the other', async () => {
      const id = await send({});
      const answers = await Promise.all([
        call('PATCH', `campaigns/${id}`, { content: 'A' }),
        call('PATCH', `campaigns/${id}`, { alertText: 'B' }),
        call('PATCH', `campaigns/${id}`, { rate: 7 }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await row(id)).toMatchObject({ content: { content: 'A', alertText: 'B' }, rate: 7, revision: 3 });
    });
  });
});
