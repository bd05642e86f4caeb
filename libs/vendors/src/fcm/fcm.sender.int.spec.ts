import { createVerify } from 'node:crypto';
import type { FcmPayload, SendOutcome } from '@postrider/domain';
import { type SeenRequest, startHttp2Server, TestClock, type TestHttp2Server } from '@postrider/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSender } from '../create-sender';
import { CREDENTIAL_KINDS } from '../credentials/credential-kinds';
import { type Sender, sendOnce } from '../sender';
import { rsaKey } from '../testing/keys';

const KEY = rsaKey();
const PAYLOAD: FcmPayload = { vendor: 'fcm', message: { data: { m: '1' }, android: { priority: 'HIGH' } } };

let tokenServer: Server;
let server: TestHttp2Server;
let sender: Sender;
let clock: TestClock;
let tokenRequests: URLSearchParams[];
let tokenAnswer: { status: number; body: object };
let handle: (request: SeenRequest) => void;

beforeEach(async () => {
  clock = new TestClock(Date.parse('2026-01-01T00:00:00Z'));
  tokenRequests = [];
  tokenAnswer = { status: 200, body: { expires_in: 3_600, token_type: 'Bearer' } };
  handle = ({ answer }) => answer(200, { name: 'projects/p/messages/1' });
  tokenServer = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      tokenRequests.push(new URLSearchParams(body));
      response.writeHead(tokenAnswer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: `token-${tokenRequests.length}`, ...tokenAnswer.body }));
    });
  });
  await new Promise<void>((resolve) => tokenServer.listen(0, '127.0.0.1', resolve));
  server = await startHttp2Server((request) => handle(request));
  const { port } = tokenServer.address() as AddressInfo;
  const { settings, secrets } = CREDENTIAL_KINDS.fcm.stored({
    serviceAccount: {
      project_id: 'p',
      client_email: 'a@p.iam.gserviceaccount.com',
      private_key: KEY.privateKey,
      token_uri: `http://127.0.0.1:${port}/token`,
    },
    endpoint: server.origin,
  });
  sender = createSender('fcm', { ...settings, ...secrets }, { clock, allowPrivateEndpoints: true });
});

afterEach(async () => {
  await sender.close();
  await server.close();
  tokenServer.closeAllConnections();
  await new Promise((resolve) => tokenServer.close(resolve));
});

function send(token = 'device', ttlSeconds = 60): Promise<SendOutcome> {
  const expiresAt = new Date(clock.now().getTime() + ttlSeconds * 1_000);
  return sendOnce(sender, { deliveryId: 'd', token, payload: PAYLOAD, expiresAt, lastCallAt: expiresAt.getTime() });
}

it('the FCM sender sends one message with an access token that the signature of the service account bought', async () => {
  const seen: SeenRequest[] = [];
  handle = (request) => {
    seen.push(request);
    request.answer(200, { name: 'projects/p/messages/1' });
  };
  expect(await send()).toEqual({ kind: 'accepted', vendorMessageId: 'projects/p/messages/1' });
  expect(seen[0]?.headers).toMatchObject({ ':path': '/v1/projects/p/messages:send', authorization: 'Bearer token-1' });
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    message: { token: 'device', android: { ttl: '60s', priority: 'HIGH' }, data: { m: '1' } },
  });
  const [header, claims, signature] = (tokenRequests[0]?.get('assertion') ?? '').split('.') as [string, string, string];
  expect(createVerify('sha256').update(`${header}.${claims}`).verify(KEY.publicKey, signature, 'base64url')).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'a@p.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    iat: clock.now().getTime() / 1_000,
    exp: clock.now().getTime() / 1_000 + 3_600,
  });
});

it('the FCM sender says four weeks at most, though by this clock more remains: that of the process that accepted the message was ahead', async () => {
  const seen: SeenRequest[] = [];
  handle = (request) => {
    seen.push(request);
    request.answer(200, { name: 'projects/p/messages/1' });
  };
  expect((await send('device', 28 * 86_400 + 20)).kind).toBe('accepted');
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ message: { android: { ttl: '2419200s' } } });
});

it('the FCM sender asks for one access token, however many sends wait for it, and for the next one five minutes ahead', async () => {
  await Promise.all(Array.from({ length: 50 }, () => send()));
  expect(tokenRequests).toHaveLength(1);
  clock.advance(54 * 60_000);
  await send();
  expect(tokenRequests).toHaveLength(1);
  clock.advance(2 * 60_000);
  expect((await send()).kind).toBe('accepted');
  while (tokenRequests.length < 2) await new Promise(setImmediate);
});

it('the FCM sender asks about a token without a message for its device, and gives the answer that a message would get', async () => {
  const seen: SeenRequest[] = [];
  handle = (request) => {
    seen.push(request);
    const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'UNREGISTERED' }];
    if (seen.length === 1) request.answer(200, { name: 'projects/p/messages/fake_message_id' });
    else request.answer(404, { error: { status: 'NOT_FOUND', message: 'gone', details } });
  };
  const ask = (): Promise<SendOutcome> => new Promise((resolve) => sender.validate?.('device', resolve));
  expect((await ask()).kind).toBe('accepted');
  expect(await ask()).toEqual({ kind: 'token_invalid', code: 'UNREGISTERED', reason: 'gone' });
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    validate_only: true,
    message: { token: 'device', android: { ttl: '0s' }, data: { check: '1' } },
  });
});

it('the FCM sender gets another access token once when FCM refuses it, and sends again with that', async () => {
  handle = ({ headers, answer }) =>
    headers.authorization === 'Bearer token-2'
      ? answer(200, { name: 'n' })
      : answer(401, { error: { status: 'UNAUTHENTICATED' } });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => send()));
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  expect(tokenRequests).toHaveLength(2);
});

it('the FCM sender calls the credentials wrong when FCM refuses the second access token too', async () => {
  handle = ({ answer }) => answer(401, { error: { status: 'UNAUTHENTICATED', message: 'no' } });
  expect(await send()).toEqual({ kind: 'config', code: 'UNAUTHENTICATED', reason: 'no' });
});

it('the FCM sender calls the credentials wrong when the token endpoint refuses them, and asks again only after a while', async () => {
  tokenAnswer = {
    status: 400,
    body: { access_token: undefined, error: 'invalid_grant', error_description: 'Invalid JWT' },
  };
  expect(await send()).toMatchObject({ kind: 'config', code: 'invalid_grant' });
  expect(await send()).toMatchObject({ kind: 'config' });
  expect(tokenRequests).toHaveLength(1);
  tokenAnswer = { status: 200, body: {} };
  clock.advance(2_000);
  expect(await send()).toMatchObject({ kind: 'accepted' });
});

it('the FCM sender can be tried later when the token endpoint has a fault', async () => {
  tokenAnswer = { status: 503, body: { access_token: undefined } };
  expect(await send()).toMatchObject({ kind: 'retryable', code: 'TOKEN_HTTP_503' });
});

it('the FCM sender takes an answer that never came for ambiguous', async () => {
  handle = () => server.breakConnections();
  expect(await send()).toMatchObject({ kind: 'ambiguous' });
});

it('the FCM sender finds credentials right that FCM lets through to a fault of the made-up token', async () => {
  const seen: unknown[] = [];
  handle = ({ body, answer }) => {
    seen.push(JSON.parse(body));
    answer(400, {
      error: { details: [{ '@type': 'x/google.firebase.fcm.v1.FcmError', errorCode: 'INVALID_ARGUMENT' }] },
    });
  };
  expect(await sender.check()).toEqual({ ok: true });
  expect(seen).toMatchObject([{ validate_only: true }]);
});

it('the FCM sender says why credentials are wrong', async () => {
  handle = ({ answer }) => answer(403, { error: { status: 'PERMISSION_DENIED', message: 'API disabled' } });
  expect(await sender.check()).toEqual({ ok: false, code: 'PERMISSION_DENIED', reason: 'API disabled' });
});

it('the FCM sender counts what waits for the access token against its capacity', async () => {
  const before = sender.capacity.free();
  const sends = Array.from({ length: before }, () => send());
  expect(sender.capacity.free()).toBe(0);
  await new Promise<void>((resolve) => sender.capacity.whenFree(resolve));
  expect(sender.capacity.free()).toBeGreaterThan(0);
  expect(new Set((await Promise.all(sends)).map(({ kind }) => kind))).toEqual(new Set(['accepted']));
});
