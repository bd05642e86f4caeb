import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HmsPayload, SendOutcome } from '@postrider/domain';
import { TestClock } from '@postrider/testing';
import { createSender } from '../create-sender';
import { CREDENTIAL_KINDS } from '../credentials/credential-kinds';
import { type Sender, sendOnce } from '../sender';

interface Sent {
  path: string;
  headers: IncomingHttpHeaders;
  message: { token: string[]; data: string; android: { urgency?: string } };
}

const PAYLOAD: HmsPayload = { vendor: 'hms', message: { data: '{}', android: { urgency: 'HIGH' } } };
const OK = { code: '80000000', msg: 'Success', requestId: 'r1' };

let server: Server;
let sender: Sender;
let clock: TestClock;
let sent: Sent[];
let tokens: number;
let answer: (request: Sent) => { status?: number; body: object; headers?: Record<string, string> };

beforeEach(async () => {
  clock = new TestClock(Date.parse('2026-01-01T00:00:00Z'));
  sent = [];
  tokens = 0;
  answer = () => ({ body: OK });
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/oauth2/v3/token') {
        const form = new URLSearchParams(text);
        const isRight = form.get('client_id') === '100' && form.get('client_secret') === 'right';
        response.writeHead(isRight ? 200 : 400);
        return response.end(
          JSON.stringify(isRight ? { access_token: `t${++tokens}`, expires_in: 3_600 } : { error: 1101 }),
        );
      }
      const { message } = JSON.parse(text) as Pick<Sent, 'message'>;
      const seen = { path: request.url ?? '', headers: request.headers, message };
      sent.push(seen);
      const { status = 200, body, headers = {} } = answer(seen);
      response.writeHead(status, headers);
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sender = makeSender('right');
});

afterEach(async () => {
  await sender.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function makeSender(clientSecret: string): Sender {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body = { appId: '100', clientSecret, endpoint: origin, tokenEndpoint: origin };
  const { settings, secrets } = CREDENTIAL_KINDS.hms.stored(body);
  return createSender('hms', { ...settings, ...secrets }, { clock, allowPrivateEndpoints: true });
}

function send(token: string, payload = PAYLOAD, ttlSeconds = 60): Promise<SendOutcome> {
  const expiresAt = new Date(clock.now().getTime() + ttlSeconds * 1_000);
  return sendOnce(sender, { deliveryId: 'd', token, payload, expiresAt, lastCallAt: expiresAt.getTime() });
}

it('the Huawei sender sends up to 1,000 devices of one payload in one request', async () => {
  const outcomes = await Promise.all(Array.from({ length: 2_500 }, (_, index) => send(`token-${index}`)));
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  expect(sent.map(({ message }) => message.token.length).sort()).toEqual([1_000, 1_000, 500]);
  expect(new Set(sent.flatMap(({ message }) => message.token)).size).toBe(2_500);
  expect(sent[0]).toMatchObject({
    path: '/v1/100/messages:send',
    headers: { authorization: 'Bearer t1' },
    message: { data: '{}', android: { urgency: 'HIGH', ttl: '60s' } },
  });
  expect(tokens).toBe(1);
});

it('the Huawei sender never puts two payloads, two lives or one token twice into a request', async () => {
  const other: HmsPayload = { vendor: 'hms', message: { data: 'other' } };
  await Promise.all([send('a'), send('a'), send('b', other), send('c', PAYLOAD, 59), send('d', PAYLOAD, 9_999_999)]);
  expect(sent.map(({ message }) => message.token.join()).sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(sent.find(({ message }) => message.token[0] === 'd')?.message.android).toMatchObject({ ttl: '1296000s' });
});

it('the Huawei sender takes only the listed tokens for dead when Huawei took the others', async () => {
  const msg = JSON.stringify({ success: 1, failure: 1, illegal_tokens: ['dead'] });
  answer = () => ({ body: { code: '80100000', msg, requestId: 'r' } });
  const outcomes = await Promise.all([send('alive'), send('dead')]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'token_invalid']);
});

it('the Huawei sender blames the credentials, not the devices, when every token of many is called invalid', async () => {
  answer = () => ({ body: { code: '80300007', msg: 'all invalid' } });
  expect((await Promise.all([send('a'), send('b')])).map(({ kind }) => kind)).toEqual(['config', 'config']);
  expect(await send('a')).toMatchObject({ kind: 'token_invalid', code: '80300007' });
});

it('the Huawei sender takes the few tokens of one request for dead together once Huawei has accepted others, but not many', async () => {
  expect(await send('alive')).toMatchObject({ kind: 'accepted' });
  answer = () => ({ body: { code: '80300007', msg: 'all invalid' } });
  const kindsOf = async (count: number): Promise<string[]> => {
    const outcomes = await Promise.all(Array.from({ length: count }, (_, index) => send(`old-${index}`)));
    return [...new Set(outcomes.map(({ kind }) => kind))];
  };
  expect(await kindsOf(3)).toEqual(['token_invalid']);
  expect(await kindsOf(21)).toEqual(['config']);
});

it('the Huawei sender sends with normal urgency where Huawei does not grant the high one, and asks for that again an hour later', async () => {
  const urgencies = (): unknown[] => sent.splice(0).map(({ message }) => message.android.urgency);
  answer = ({ message }) => ({
    body: message.android.urgency === 'HIGH' ? { code: '80300011', msg: 'no permission' } : OK,
  });
  expect(await send('a')).toMatchObject({ kind: 'accepted' });
  expect(urgencies()).toEqual(['HIGH', 'NORMAL']);
  expect(await send('b')).toMatchObject({ kind: 'accepted' });
  expect(urgencies()).toEqual(['NORMAL']);
  clock.advance(3_600_000);
  answer = () => ({ body: OK });
  expect(await send('c')).toMatchObject({ kind: 'accepted' });
  expect(await send('d')).toMatchObject({ kind: 'accepted' });
  expect(urgencies()).toEqual(['HIGH', 'HIGH']);
});

it('the Huawei sender gets another access token once when the first has ended', async () => {
  answer = ({ headers }) => ({
    body: headers.authorization === 'Bearer t1' ? { code: '80200003', msg: 'expired' } : OK,
  });
  expect(await send('a')).toMatchObject({ kind: 'accepted' });
  expect(tokens).toBe(2);
  answer = () => ({ body: { code: '80200001', msg: 'auth' } });
  expect(await send('a')).toMatchObject({ kind: 'config', code: '80200001' });
});

it.each([
  ['80100003', 'request_invalid'],
  ['80100016', 'request_invalid'],
  ['80100017', 'throttled'],
  ['80300002', 'config'],
  ['80300008', 'request_invalid'],
  ['80300010', 'request_invalid'],
  ['80300011', 'config'],
  ['80300013', 'config'],
  ['80600003', 'retryable'],
  ['81000001', 'retryable'],
])("Huawei's code %s is %s", async (code, kind) => {
  answer = () => ({ body: { code, msg: 'm' } });
  expect(await send('a')).toMatchObject({ kind, code });
});

it.each([
  [301, 'config'],
  [302, 'config'],
  [308, 'config'],
  [400, 'request_invalid'],
  [404, 'config'],
  [500, 'retryable'],
  [502, 'retryable'],
  [503, 'throttled'],
  // Something before Huawei may have answered: nobody knows if the message was accepted.
  [200, 'ambiguous'],
])('HTTP %d of Huawei without a code is %s', async (status, kind) => {
  answer = () => ({ status, body: {}, headers: { 'retry-after': '2' } });
  expect((await send('a')).kind).toBe(kind);
});

it('the Huawei sender tells wrong credentials from right ones', async () => {
  answer = () => ({ body: { code: '80300007', msg: 'm' } });
  expect(await sender.check()).toEqual({ ok: true });
  await sender.close();
  sender = makeSender('wrong');
  expect(await sender.check()).toMatchObject({ ok: false, code: 'TOKEN_HTTP_400' });
});

it('the Huawei sender lets what is on its way end when it is closed', async () => {
  const outcome = send('a');
  await sender.close();
  expect(await outcome).toMatchObject({ kind: 'accepted' });
  expect(await send('b')).toMatchObject({ kind: 'retryable', code: 'CLOSED' });
});
