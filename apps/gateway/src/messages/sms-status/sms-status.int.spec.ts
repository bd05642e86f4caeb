import { createHmac } from 'node:crypto';
import { rows } from '@postrider/persistence';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const PUBLIC_URL = 'https://push.example.com';
const ACCOUNT = `AC${'0'.repeat(32)}`;
const FORM = 'application/x-www-form-urlencoded';

interface Row {
  user_id: string;
  fallback_id: string;
  state: string;
  error_code: string | null;
  provider_message_id: string | null;
  wake_at: Date | null;
}

describe('fallback SMS at the gateway', () => {
  let gateway: TestGateway;
  let token: string;

  const send = (body: object, endpoint = 'toUsers'): Promise<TestAnswer> =>
    gateway.request('POST', `/api/push/${endpoint}`, { body, headers: { 'x-access-token': token } });
  const get = (path: string): Promise<TestAnswer> =>
    gateway.request('GET', `/api/push/messages/${path}`, { headers: { 'x-access-token': token } });
  const admin = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, `/api/admin/apps/shop/vendors${path}`, {
      body,
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
  const useTwilio = (authToken = 'pw'): Promise<TestAnswer> =>
    admin('PUT', '/sms', { provider: 'twilio', accountSid: ACCOUNT, authToken, from: '+15005550006' });
  const fallbacks = (): Promise<Row[]> =>
    rows<Row>(gateway.database, 'SELECT * FROM fallbacks ORDER BY user_id, created_at');
  /** The state after a worker gave it to a provider. */
  const attempted = (provider: string, state = 'sending', providerMessageId: string | null = null): Promise<unknown> =>
    rows(
      gateway.database,
      `UPDATE fallbacks SET state = $1, provider = $2, provider_message_id = $3, attempt = 1, phone = '+14155552345',
         attempted_at = now(), wake_at = NULL`,
      [state, provider, providerMessageId],
    );
  const report = (
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> =>
    gateway.request('POST', path, {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': FORM, ...headers },
    });
  const signed = (path: string, form: Record<string, string>, authToken = 'pw'): Promise<TestAnswer> => {
    const text = Object.keys(form)
      .sort()
      .reduce((all, name) => `${all}${name}${form[name] ?? ''}`, PUBLIC_URL + path);
    const signature = createHmac('sha1', authToken).update(text).digest('base64');
    return report(path, form, { 'x-twilio-signature': signature });
  };

  beforeAll(async () => {
    gateway = await startTestGateway({ publicUrl: PUBLIC_URL, publicDocs: true });
    token = await gateway.application('shop');
    await gateway.application('bank');
  });
  beforeEach(() => rows(gateway.database, 'DELETE FROM fallbacks'));
  afterAll(() => gateway.close());

  describe('when a message is accepted', () => {
    it('is written for every named user once, devices or not, and is not counted', async () => {
      const answer = await send({ users: ['ada', 'bob', 'ada'], content: 'hi', fallback: { content: 'sms' } });
      expect(answer.body).toEqual({ count: 0 });
      expect(await fallbacks()).toEqual([
        expect.objectContaining({ user_id: 'ada', state: 'waiting' }),
        expect.objectContaining({ user_id: 'bob', state: 'waiting' }),
      ]);
      const id = String(answer.headers['x-message-id']);
      expect((await get(id)).body.fallback).toMatchObject({ waiting: 2, sent: 0, delivered: 0 });
    });

    it('is due after its delay, at its message’s expiry at the latest', async () => {
      const due = async (fallback: object, ttl?: number): Promise<unknown> => {
        await rows(gateway.database, 'DELETE FROM fallbacks');
        await send({ user: 'ada', content: 'hi', ...(ttl === undefined ? {} : { ttl }), fallback }, 'notifyUsers');
        const [row] = await rows<object>(
          gateway.database,
          `SELECT extract(epoch FROM due_at - created_at)::int AS due, extract(epoch FROM wake_at - created_at)::int AS wake,
             policy FROM fallbacks`,
        );
        return row;
      };
      expect(await due({ content: 'sms' })).toEqual({ due: 60, wake: 60, policy: null });
      expect(await due({ content: 'sms', delay: 0 })).toEqual({ due: 0, wake: 0, policy: null });
      expect(await due({ content: 'sms', delay: 86_400 }, 10)).toEqual({ due: 86_400, wake: 10, policy: null });
      expect(await due({ content: 'sms', policy: 'NOTIFICATION_SHOWN' })).toEqual({
        due: 60,
        wake: 60,
        policy: 'SHOWN',
      });
    });

    it('is written for each message of a list, and for none that asks for none', async () => {
      await send([
        { user: 'ada', content: 'hi', fallback: { content: 'sms' } },
        { user: 'bob', content: 'hi' },
        { user: 'ada', content: 'hi', fallback: { content: 'sms' } },
      ]);
      expect((await fallbacks()).map(({ user_id }) => user_id)).toEqual(['ada', 'ada']);
      expect((await send({ user: 'ada', content: 'hi' })).status).toBe(200);
      expect(await fallbacks()).toHaveLength(2);
    });

    it('is not written by a dry run, nor by a bad request, nor twice by a repeated one', async () => {
      const body = { user: 'ada', content: 'hi', fallback: { content: 'sms' } };
      await send(body, 'toUsers?dryRun=true');
      expect((await send([body, { user: 'bob' }])).status).toBe(400);
      expect(await fallbacks()).toEqual([]);
      for (let time = 0; time < 2; time++) {
        await gateway.request('POST', '/api/push/toUsers', {
          body,
          headers: { 'x-access-token': token, 'idempotency-key': 'once' },
        });
      }
      expect(await fallbacks()).toHaveLength(1);
    });
  });

  it('say that no SMS is sent if the message expires before it is due', async () => {
    const send60 = { user: 'ada', content: 'hi', ttl: 60 };
    const reasonAfter = async (delay: number): Promise<string> => {
      const answer = await send({ ...send60, fallback: { content: 'sms', delay } });
      const { body } = await get(`${String(answer.headers['x-message-id'])}/fallbacks`);
      return String(body.fallbacks[0].reason);
    };
    expect(await reasonAfter(59)).toMatch(/^Waits for a confirmation until /);
    for (const delay of [60, 3_600]) {
      expect(await reasonAfter(delay)).toMatch(/^No SMS is sent: the message expires at .*Z, before the SMS is due$/);
    }
  });

  it('are listed one a user, with a number to recognise and not to call', async () => {
    await useTwilio();
    const answer = await send({ users: ['ada', 'bob', 'eve'], content: 'hi', fallback: { content: 'sms' } });
    const id = String(answer.headers['x-message-id']);
    await attempted('twilio', 'sent', 'SM1');
    await rows(gateway.database, `UPDATE fallbacks SET state = 'waiting', phone = NULL WHERE user_id = 'eve'`);
    const first = (await get(`${id}/fallbacks?limit=2`)).body;
    expect(first.fallbacks).toMatchObject([
      { userId: 'ada', state: 'sent', phone: '+********345', provider: 'twilio', providerMessageId: 'SM1' },
      { userId: 'bob' },
    ]);
    const rest = (await get(`${id}/fallbacks?limit=2&cursor=${first.nextCursor}`)).body;
    expect(rest).toMatchObject({ fallbacks: [{ userId: 'eve', state: 'waiting', phone: null }], nextCursor: null });
    expect(rest.fallbacks[0].reason).toMatch(/^Waits for a confirmation until /);
    expect((await get(`${id}/fallbacks?state=sent`)).body.fallbacks).toHaveLength(2);
    expect((await get(`${id}/fallbacks?state=odd`)).status).toBe(400);
    const stranger = await gateway.token('bank', ['read']);
    const foreign = await gateway.request('GET', `/api/push/messages/${id}/fallbacks?access_token=${stranger}`);
    expect(foreign.status).toBe(404);
    const noScope = await gateway.token('shop', ['send']);
    const refused = await gateway.request('GET', `/api/push/messages/${id}/fallbacks?access_token=${noScope}`);
    expect(refused.status).toBe(403);
  });

  it('are cancelled with their message, though its pushes are all out', async () => {
    const answer = await send({ user: 'ada', content: 'hi', fallback: { content: 'sms' } });
    const id = String(answer.headers['x-message-id']);
    const cancel = (): Promise<TestAnswer> =>
      gateway.request('POST', `/api/push/messages/${id}/cancel`, { headers: { 'x-access-token': token } });
    const cancelled = await cancel();
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect(cancelled.body.fallback).toMatchObject({ waiting: 0, cancelled: 1 });
    expect((await get(`${id}/fallbacks?state=cancelled`)).body.fallbacks).toHaveLength(1);
  });

  describe("Twilio's reports", () => {
    let path: string;

    beforeEach(async () => {
      await useTwilio();
      await send({ user: 'ada', content: 'hi', fallback: { content: 'sms' } });
      await attempted('twilio');
      path = `/api/sms/status/twilio/shop?fallback=${(await fallbacks())[0]?.fallback_id ?? ''}`;
    });

    it('are recorded, even before our own record of the sending', async () => {
      const counted = async (): Promise<number> => {
        const { body } = await gateway.request('GET', '/metrics');
        const line = /postrider_fallbacks_total\{state="delivered",provider="twilio"[^}]*\} (\d+)/;
        return Number(line.exec(body as string)?.[1] ?? 0);
      };
      const before = await counted();
      expect((await signed(path, { MessageSid: 'SM1', MessageStatus: 'sent' })).body).toEqual({ recorded: true });
      expect(await fallbacks()).toMatchObject([{ state: 'sent', provider_message_id: 'SM1' }]);
      await signed(path, { MessageSid: 'SM1', MessageStatus: 'delivered' });
      expect(await fallbacks()).toMatchObject([{ state: 'delivered' }]);
      expect(await counted()).toBe(before + 1);
    });

    it('only move a fallback forward, in whatever order they come', async () => {
      const say = (status: string, more: Record<string, string> = {}): Promise<TestAnswer> =>
        signed(path, { MessageSid: 'SM1', MessageStatus: status, ...more });
      await say('undelivered', { ErrorCode: '30003' });
      expect(await fallbacks()).toMatchObject([{ state: 'undelivered', error_code: '30003' }]);
      for (const late of ['queued', 'sent', 'failed', 'undelivered']) {
        expect((await say(late)).body).toEqual({ recorded: false });
      }
      expect((await say('delivered')).body).toEqual({ recorded: true });
      for (const late of ['sent', 'undelivered', 'delivered', 'strange']) {
        expect((await say(late)).body).toEqual({ recorded: false });
      }
      expect(await fallbacks()).toMatchObject([{ state: 'delivered', error_code: null }]);
    });

    it('are known by the id too that Twilio gave', async () => {
      await attempted('twilio', 'sent', 'SM9');
      await signed('/api/sms/status/twilio/shop', { MessageSid: 'SM9', MessageStatus: 'delivered' });
      expect(await fallbacks()).toMatchObject([{ state: 'delivered' }]);
      expect((await signed('/api/sms/status/twilio/shop', { MessageSid: 'SM8', MessageStatus: 'sent' })).body).toEqual({
        recorded: false,
      });
    });

    it('keep an SMS from being sent again that was taken after all', async () => {
      await rows(gateway.database, `UPDATE fallbacks SET state = 'waiting', wake_at = now()`);
      await signed(path, { MessageSid: 'SM1', MessageStatus: 'queued' });
      expect(await fallbacks()).toMatchObject([{ state: 'sent', wake_at: null }]);
    });

    it('do not touch a fallback that was never sent', async () => {
      await rows(gateway.database, `UPDATE fallbacks SET state = 'waiting', attempted_at = NULL, provider = NULL`);
      expect((await signed(path, { MessageSid: 'SM1', MessageStatus: 'sent' })).body).toEqual({ recorded: false });
    });

    it('are refused unless this application’s account signed this very report', async () => {
      const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };
      const refusals = [
        await report(path, form),
        await report(path, form, { 'x-twilio-signature': 'bm9uc2Vuc2U=' }),
        await signed(path, form, 'another password'),
        await signed(path.replace('shop', 'bank'), form),
        await signed(path.replace('shop', 'nobody'), form),
      ];
      expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual(
        refusals.map(() => [403, 'FORBIDDEN']),
      );
      expect(new Set(refusals.map(({ body }) => body.error.message)).size).toBe(1);
      expect(await fallbacks()).toMatchObject([{ state: 'sending' }]);
    });

    it('are refused when they are huge or no form', async () => {
      expect((await report(path, { MessageSid: 'x'.repeat(20_000) })).status).toBe(413);
      expect((await gateway.request('POST', path, { body: { a: 1 } })).status).toBe(403);
      const form = await gateway.request('POST', '/api/push/toUsers', {
        body: 'user=ada&content=x',
        headers: { 'content-type': FORM, 'x-access-token': token },
      });
      expect(form.status).toBe(415);
    });
  });

  describe('reports of a provider that signs nothing', () => {
    const kavenegar = { provider: 'kavenegar', apiKey: 'top-secret', sender: '1000' };
    const http = {
      provider: 'http',
      endpoint: 'https://sms.example.com',
      body: '{"to":"{{ to }}","text":"{{ text }}"}',
    };
    const pathOf = (answer: TestAnswer): string => String(answer.body.statusUrl).replace(PUBLIC_URL, '');

    beforeEach(async () => {
      await admin('DELETE', '/sms');
      await send({ user: 'ada', content: 'hi', fallback: { content: 'sms' } });
    });

    it('show the secret of an address that is told when the credentials are stored, and only then', async () => {
      const stored = await admin('PUT', '/sms', kavenegar);
      expect(stored.body).toMatchObject({ vendor: 'sms', provider: 'kavenegar', sender: '1000' });
      expect(stored.body.statusUrl).toMatch(
        /^https:\/\/push\.example\.com\/api\/sms\/status\/kavenegar\/shop\/[\w-]{32}$/,
      );
      expect((await admin('PUT', '/sms', kavenegar)).body.statusUrl).toBe(stored.body.statusUrl);
      expect(JSON.stringify((await admin('GET', '')).body)).not.toMatch(/statusUrl|statusSecret|top-secret/);
      expect((await admin('PUT', '/sms', http)).body.statusUrl).not.toContain(String(stored.body.statusUrl).slice(-32));
    });

    it('come to the address at which the operator reached the gateway, if no public one is set', async () => {
      const other = await startTestGateway();
      try {
        const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
        await other.request('POST', '/api/admin/apps', { body: { id: 'shop', name: 'Shop' }, headers });
        const stored = await other.request('PUT', '/api/admin/apps/shop/vendors/sms', { body: kavenegar, headers });
        expect(stored.body.statusUrl).toMatch(
          new RegExp(`^${other.address}/api/sms/status/kavenegar/shop/[\\w-]{32}$`),
        );
        const overTls = await other.request('PUT', '/api/admin/apps/shop/vendors/sms', {
          body: kavenegar,
          headers: { ...headers, host: 'push.example.net', 'x-forwarded-proto': 'https' },
        });
        expect(overTls.body.statusUrl).toMatch(/^https:\/\/push\.example\.net\/api\/sms\/status\/kavenegar\/shop\//);
      } finally {
        await other.close();
      }
    });

    it('of Kavenegar come as a form or as a query', async () => {
      const path = pathOf(await admin('PUT', '/sms', kavenegar));
      await attempted('kavenegar', 'sent', '8792343');
      expect((await report(path, { messageid: '8792343', status: '11' })).body).toEqual({ recorded: true });
      expect(await fallbacks()).toMatchObject([{ state: 'undelivered', error_code: '11' }]);
      await gateway.request('GET', `${path}?messageid=8792343&status=10`);
      expect(await fallbacks()).toMatchObject([{ state: 'delivered', error_code: null }]);
      expect((await report(path, { messageid: '8792343', status: '100' })).body).toEqual({ recorded: false });
    });

    it('of any other provider name the SMS by our id or by its own', async () => {
      const path = pathOf(await admin('PUT', '/sms', http));
      await attempted('http', 'sent', 'x-1');
      const [row] = await fallbacks();
      await report(path, { id: row?.fallback_id ?? '', status: 'failed', error: 'no route' });
      expect(await fallbacks()).toMatchObject([{ state: 'failed', error_code: 'no route' }]);
      await gateway.request('GET', `${path}?messageId=x-1&status=delivered&status=failed`);
      expect(await fallbacks()).toMatchObject([{ state: 'failed' }]);
      await gateway.request('GET', `${path}?messageId=x-1&status=delivered`);
      expect(await fallbacks()).toMatchObject([{ state: 'delivered' }]);
    });

    it('are refused with another secret, another application or another provider', async () => {
      const path = pathOf(await admin('PUT', '/sms', kavenegar));
      await attempted('kavenegar', 'sent', '1');
      for (const wrong of [`${path}x`, path.replace('shop', 'bank'), path.replace('kavenegar', 'http')]) {
        expect((await report(wrong, { messageid: '1', status: '10' })).status).toBe(403);
      }
      expect((await report(path.replace('kavenegar', 'other'), { messageid: '1' })).status).toBe(404);
      expect(await fallbacks()).toMatchObject([{ state: 'sent' }]);
    });
  });

  it('credentials are checked, refused field by field, and forgotten', async () => {
    expect(
      (await admin('PUT', '/sms', { provider: 'twilio' })).body.error.details.map(({ path }: { path: string }) => path),
    ).toEqual(['accountSid', 'authToken', 'from']);
    await admin('PUT', '/sms', { ...{ provider: 'http', endpoint: 'https://sms.example.com' }, body: 'to={{ to }}' });
    expect((await admin('POST', '/sms/check')).body).toMatchObject({ ok: false, code: 'not_checkable' });
    expect((await admin('GET', '')).body).toMatchObject([{ vendor: 'sms', provider: 'http' }]);
    expect((await admin('DELETE', '/sms')).body).toEqual({ vendor: 'sms' });
    expect((await admin('POST', '/sms/check')).status).toBe(404);
  });
});
