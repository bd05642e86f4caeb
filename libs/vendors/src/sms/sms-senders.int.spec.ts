import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@postrider/domain';
import { TestClock, untilTrue } from '@postrider/testing';
import { CREDENTIAL_KINDS } from '../credentials/credential-kinds';
import { holdTimeouts } from '../testing/held-timeouts';
import { createSmsSender } from './create-sms-sender';
import { type SmsRequest, type SmsSender, smsTextDigest } from './sms-sender';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const SMS: SmsRequest = {
  to: '+989121234567',
  text: 'سلام "Ada" & Bob',
  id: '0192f0c1-2b3c-4d5e-8f90-a1b2c3d4e5f6',
  validitySeconds: 99_999.5,
  statusCallback: 'https://push.example.com/api/sms/status/twilio/shop?fallback=1',
};
const ACCOUNT = `AC${'a'.repeat(32)}`;

describe('SMS senders', () => {
  let server: Server;
  let endpoint: string;
  let seen: Seen[];
  let reply: (request: Seen, response: ServerResponse) => void;
  const clock = new TestClock(Date.parse('2026-01-01T00:00:00Z'));
  const senders: SmsSender[] = [];
  const say = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    reply = (_request, response) => response.writeHead(status, headers).end(JSON.stringify(body));
  };
  const senderOf = (body: JsonObject, options: object = {}): SmsSender => {
    const { settings, secrets } = CREDENTIAL_KINDS.sms.stored({ method: 'POST', ...body } as never);
    const sender = createSmsSender({ ...settings, ...secrets }, { clock, allowPrivateEndpoints: true, ...options });
    senders.push(sender);
    return sender;
  };
  const twilio = (changes: JsonObject = {}, options: object = {}): SmsSender =>
    senderOf(
      { provider: 'twilio', accountSid: ACCOUNT, authToken: 'pw', from: '+15005550006', endpoint, ...changes },
      options,
    );
  const kavenegar = (): SmsSender =>
    senderOf({ provider: 'kavenegar', apiKey: 'top-secret-key', sender: '10004346', endpoint });

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const one = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
        seen.push(one);
        reply(one, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen = [];
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    server.closeAllConnections();
    await Promise.all(senders.map((sender) => sender.close()));
    await new Promise((resolve) => server.close(resolve));
  });

  it('fails a text that is too long for Twilio without a call', async () => {
    say(201, { sid: 'SM1', status: 'queued' });
    const text = (characters: number): SmsRequest => ({ ...SMS, text: '😀'.repeat(characters) });
    expect(await twilio().send(text(1_601))).toEqual({
      kind: 'request_invalid',
      code: '21617',
      reason: 'The text has 1,601 characters, Twilio takes 1,600',
    });
    expect(seen).toEqual([]);
    expect(await twilio().send(text(1_600))).toMatchObject({ kind: 'accepted' });
    expect(await kavenegar().send(text(1_601))).not.toMatchObject({ code: '21617' });
  });

  it('write nothing any more once they may not', async () => {
    const http = { provider: 'http', endpoint, body: 'to={{ to }}&text={{ text }}' };
    const all = [twilio(), kavenegar(), senderOf(http), senderOf({ ...http, method: 'GET' })];
    say(200, {});
    for (const sender of all) {
      const outcome = await sender.send({ ...SMS, mayWrite: () => false });
      expect([sender.provider, outcome]).toMatchObject([sender.provider, { kind: 'retryable', code: 'WITHDRAWN' }]);
    }
    expect(seen).toEqual([]);
    for (const sender of all) await sender.send({ ...SMS, mayWrite: () => true });
    expect(seen).toHaveLength(all.length);
  });

  describe('Twilio', () => {
    it('is asked as its documentation says, with a validity it takes', async () => {
      say(201, { sid: 'SM1', status: 'queued' });
      expect(await twilio().send(SMS)).toEqual({ kind: 'accepted', vendorMessageId: 'SM1' });
      expect(seen).toMatchObject([{ method: 'POST', url: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json` }]);
      expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`${ACCOUNT}:pw`).toString('base64')}`);
      expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
        To: SMS.to,
        From: '+15005550006',
        Body: SMS.text,
        ValidityPeriod: '36000',
        StatusCallback: SMS.statusCallback,
      });
    });

    it('is asked to send from a messaging service', async () => {
      say(201, { sid: 'SM1', status: 'accepted' });
      const service = { from: null, messagingServiceSid: `MG${'b'.repeat(32)}` };
      await twilio(service).send({ to: SMS.to, text: 'x', id: SMS.id, validitySeconds: 0.2 });
      const form = Object.fromEntries(new URLSearchParams(seen[0]?.body));
      expect(form).toEqual({ To: SMS.to, MessagingServiceSid: `MG${'b'.repeat(32)}`, Body: 'x', ValidityPeriod: '1' });
    });

    it('may have sent what it never answered, once the request was written', async () => {
      reply = (_request, response) => response.destroy();
      expect(await twilio().send(SMS)).toMatchObject({ kind: 'ambiguous' });
      reply = () => undefined;
      const deadlineMs = 250_000;
      // So long a whole answer may take.
      const deadline = holdTimeouts(2 * deadlineMs);
      const outcome = twilio({}, { deadlineMs }).send(SMS);
      await untilTrue(() => seen.length === 2);
      await deadline.pass();
      expect(await outcome).toMatchObject({ kind: 'ambiguous' });
    });

    it('has surely not sent what never reached it', async () => {
      expect(await twilio({ endpoint: 'http://127.0.0.1:1' }).send(SMS)).toMatchObject({ kind: 'retryable' });
      // The server here speaks no TLS: the handshake fails.
      const isSecure = { endpoint: endpoint.replace('http:', 'https:') };
      expect(await twilio(isSecure).send(SMS)).toMatchObject({ kind: 'retryable' });
      expect(seen).toEqual([]);
    });

    const message = (changes: JsonObject = {}): JsonObject => ({
      sid: 'SM1',
      to: SMS.to,
      body: SMS.text,
      direction: 'outbound-api',
      status: 'delivered',
      error_code: null,
      date_created: clock.now().toUTCString(),
      ...changes,
    });
    const asked = { id: SMS.id, to: SMS.to, attemptedAt: clock.now() };
    const inquiry = { ...asked, providerMessageId: null, textDigest: smsTextDigest(SMS.text) };

    it('says what became of an SMS by its id', async () => {
      say(200, message({ status: 'undelivered', error_code: 30003 }));
      expect(await twilio().inquire?.({ ...inquiry, providerMessageId: 'SM1' })).toEqual({
        providerMessageId: 'SM1',
        status: 'undelivered',
        errorCode: '30003',
      });
      expect(seen[0]?.url).toBe(`/2010-04-01/Accounts/${ACCOUNT}/Messages/SM1.json`);
    });

    it.each([
      ['one that is ours', [message(), message({ sid: 'SM2', body: 'another' })], 'SM1'],
      ['two alike: nobody can tell', [message(), message({ sid: 'SM2' })], undefined],
      ['one whose text was changed: nobody can tell', [message({ body: 'Sent from a trial account' })], undefined],
      ['one without a time: nobody can tell', [message({ date_created: null })], undefined],
    ])('is asked for a lost answer by number and text, and has %s', async (_name, messages, sid) => {
      say(200, { messages });
      const known = (await twilio().inquire?.(inquiry)) ?? null;
      expect(known === 'absent' ? known : known?.providerMessageId).toBe(sid);
      expect(seen[0]?.url).toContain('/Messages.json?To=%2B989121234567');
    });

    it.each([
      ['none', []],
      ['one of yesterday', [message({ date_created: 'Mon, 01 Dec 2025 00:00:00 GMT' })]],
      ['one that came in', [message({ direction: 'inbound' })]],
    ])('never had ours when there is %s', async (_name, messages) => {
      say(200, { messages });
      expect(await twilio().inquire?.(inquiry)).toBe('absent');
    });

    it('cannot tell which SMS is ours when our text is not known', async () => {
      say(200, { messages: [message()] });
      expect(await twilio().inquire?.({ ...inquiry, textDigest: null })).toBeNull();
    });

    it('cannot say so of a list that may go on', async () => {
      say(200, { messages: Array.from({ length: 50 }, () => message({ direction: 'inbound' })) });
      expect(await twilio().inquire?.(inquiry)).toBeNull();
    });

    it('knows nothing when it cannot answer', async () => {
      say(500, {});
      expect(await twilio().inquire?.(inquiry)).toBeNull();
    });

    it('checks the account', async () => {
      say(200, { sid: ACCOUNT, status: 'active' });
      expect(await twilio().check()).toEqual({ ok: true });
      say(401, { code: 20003, message: 'Authenticate' });
      expect(await twilio().check()).toEqual({ ok: false, code: '20003', reason: 'Authenticate' });
    });
  });

  describe('Kavenegar', () => {
    const TAKEN = { return: { status: 200, message: 'ok' }, entries: [{ messageid: 12, status: 1 }] };

    it('is asked with an id of ours and a number as it is dialled', async () => {
      say(200, TAKEN);
      expect(await kavenegar().send(SMS)).toEqual({ kind: 'accepted', vendorMessageId: '12' });
      await kavenegar().send({ ...SMS, to: '+14155552345' });
      const forms = seen.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
      expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/top-secret-key/sms/send.json' });
      expect(forms[0]).toEqual({
        receptor: '09121234567',
        message: SMS.text,
        sender: '10004346',
        localid: String(0x0192f0c12b3c4d5n),
      });
      expect(forms[1]?.receptor).toBe('0014155552345');
    });

    it('never shows its key in what comes of a call', async () => {
      const outcomes: unknown[] = [];
      reply = (_request, response) => response.destroy();
      outcomes.push(await kavenegar().send(SMS));
      say(403, { return: { status: 403, message: 'invalid' } });
      outcomes.push(await kavenegar().send(SMS), await kavenegar().check());
      reply = (_request, response) => response.writeHead(200).end('x'.repeat(2_000_000));
      outcomes.push(await kavenegar().send(SMS));
      expect(outcomes).toMatchObject([{ kind: 'ambiguous' }, { kind: 'config' }, { ok: false }, { kind: 'ambiguous' }]);
      expect(JSON.stringify(outcomes)).not.toContain('top-secret-key');
    });

    it('checks the account by what the body says too', async () => {
      say(200, { return: { status: 200, message: 'ok' }, entries: { remaincredit: 1 } });
      expect(await kavenegar().check()).toEqual({ ok: true });
      say(200, { return: { status: 403, message: 'invalid' }, entries: null });
      expect(await kavenegar().check()).toEqual({ ok: false, code: '403', reason: 'invalid' });
      say(200, '<html>');
      expect(await kavenegar().check()).toMatchObject({ ok: false });
    });

    it('says what became of an SMS by its id, or by ours', async () => {
      const inquiry = { id: SMS.id, to: SMS.to, textDigest: smsTextDigest(SMS.text), attemptedAt: clock.now() };
      say(200, { return: { status: 200 }, entries: [{ messageid: 12, status: 10 }] });
      expect(await kavenegar().inquire?.({ ...inquiry, providerMessageId: '12' })).toMatchObject({
        status: 'delivered',
      });
      expect(await kavenegar().inquire?.({ ...inquiry, providerMessageId: null })).toMatchObject({
        providerMessageId: '12',
      });
      say(200, { return: { status: 200 }, entries: [{ messageid: 0, status: 100 }] });
      expect(await kavenegar().inquire?.({ ...inquiry, providerMessageId: null })).toBe('absent');
      say(500, {});
      expect(await kavenegar().inquire?.({ ...inquiry, providerMessageId: null })).toBeNull();
      expect(seen.map(({ url }) => url.split('/').at(-1))).toEqual([
        'status.json',
        'statuslocalmessageid.json',
        'statuslocalmessageid.json',
        'statuslocalmessageid.json',
      ]);
    });
  });

  describe('a provider of no special make', () => {
    const generic = (changes: JsonObject = {}): SmsSender =>
      senderOf({
        provider: 'http',
        endpoint: `${endpoint}/send?key=k`,
        body: '{"to":"{{ to }}","text":"{{ text }}","ref":"{{ id }}"}',
        ...changes,
      });

    it('gets the body of its template', async () => {
      say(202, { data: { messages: [{ id: 77 }] } });
      const sender = generic({ idPath: 'data.messages[0].id', headers: { Authorization: 'Bearer t' } });
      expect(await sender.send(SMS)).toEqual({ kind: 'accepted', vendorMessageId: '77' });
      expect(seen).toMatchObject([
        {
          method: 'POST',
          url: '/send?key=k',
          headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
        },
      ]);
      expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ to: SMS.to, text: SMS.text, ref: SMS.id });
    });

    it('may want a form, or a query', async () => {
      say(200, {});
      const body = 'to={{ to }}&text={{ text }}';
      expect(await generic({ method: 'PUT', body }).send(SMS)).toEqual({ kind: 'accepted', vendorMessageId: null });
      await generic({ method: 'GET', body }).send(SMS);
      expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({ to: SMS.to, text: SMS.text });
      expect(seen[1]).toMatchObject({ method: 'GET', body: '' });
      const { searchParams } = new URL(seen[1]?.url ?? '', endpoint);
      expect(Object.fromEntries(searchParams)).toEqual({ key: 'k', to: SMS.to, text: SMS.text });
    });

    it.each([
      [400, 'request_invalid'],
      [422, 'request_invalid'],
      [401, 'config'],
      [404, 'config'],
      [301, 'config'],
      [429, 'throttled'],
      [503, 'retryable'],
      [500, 'ambiguous'],
      [200, 'ambiguous'],
    ])('that answers %i when only 202 is success: %s', async (status, kind) => {
      say(status, { error: 'no' }, { location: `${endpoint}/elsewhere` });
      expect(await generic({ successStatus: [202] }).send(SMS)).toMatchObject({ kind });
      expect(seen).toHaveLength(1);
    });

    it('may answer NUL, which PostgreSQL does not take', async () => {
      say(200, { id: 'a\0b' });
      expect(await generic({ idPath: 'id' }).send(SMS)).toEqual({ kind: 'accepted', vendorMessageId: 'ab' });
      reply = (_request, response) => response.writeHead(400).end('\0n\0o');
      expect(await generic().send(SMS)).toMatchObject({ kind: 'request_invalid', reason: 'no' });
    });

    it.each([
      ['9007199254740993', '{"id":9007199254740993}'],
      ['18446744073709551615', '{"note":"a \\" 9007199254740993,","id": 18446744073709551615 }'],
      ['77', '{"cost":0.12345678901234567,"balance":1.5e-1234567890123456,"id":77}'],
    ])('may name an SMS by a number that no double holds: %s', async (id, body) => {
      reply = (_request, response) => response.writeHead(200).end(body);
      expect(await generic({ idPath: 'id' }).send(SMS)).toEqual({ kind: 'accepted', vendorMessageId: id });
    });

    it('cannot be checked without an SMS', async () => {
      expect(await generic().check()).toMatchObject({ ok: false, code: 'not_checkable' });
      expect(seen).toEqual([]);
    });

    it('is not called at a private address, unless that is allowed', async () => {
      const options = { allowPrivateEndpoints: false };
      const body = '{"to":"{{ to }}","text":"{{ text }}"}';
      const settings = {
        provider: 'http',
        endpoint: 'https://127.0.0.1/send',
        query: '',
        method: 'POST',
        successStatus: [],
      };
      const guarded = createSmsSender({ ...settings, headers: {}, body, statusSecret: 's' }, { clock, ...options });
      expect(await guarded.send(SMS)).toMatchObject({ kind: 'config', code: 'PRIVATE_ADDRESS' });
      await guarded.close();
    });
  });
});
