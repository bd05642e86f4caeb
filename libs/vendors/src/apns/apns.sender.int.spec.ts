import { verify } from 'node:crypto';
import type { ApnsPayload, SendOutcome } from '@postrider/domain';
import {
  type SeenRequest,
  startHttp2Server,
  TestClock,
  type TestHttp2Server,
  throwAwayCertificate,
} from '@postrider/testing';
import { createSender } from '../create-sender';
import type { StoredCredentials } from '../credentials/credential-kind';
import { CREDENTIAL_KINDS } from '../credentials/credential-kinds';
import { type Sender, sendOnce } from '../sender';
import { p256Key } from '../testing/keys';
import type { IssuedToken, ProviderTokenStore } from '../sender';

const KEY = p256Key();
const ID = '0199f000-0000-7000-8000-000000000001';
const TOKEN = 'ab'.repeat(32);
const PAYLOAD: ApnsPayload = {
  vendor: 'apns',
  body: { aps: { alert: { title: 'T', body: 'B' } } },
  pushType: 'alert',
  priority: 10,
  collapseId: 'c',
};

let server: TestHttp2Server;
let sender: Sender;
let clock: TestClock;
let handle: (request: SeenRequest) => void;

beforeEach(async () => {
  clock = new TestClock(Date.parse('2026-01-01T00:00:00Z'));
  handle = ({ headers, answer }) => answer(200, undefined, { 'apns-id': headers['apns-id'] as string });
  server = await startHttp2Server((request) => handle(request), { tls: true });
  const { settings, secrets } = storedCredentials();
  sender = createSender('apns', { ...settings, ...secrets }, { clock, allowPrivateEndpoints: true });
});

afterEach(async () => {
  await sender.close();
  await server.close();
});

function storedCredentials(): StoredCredentials {
  return CREDENTIAL_KINDS.apns.stored({
    keyId: 'KEY1234567',
    teamId: 'TEAM123456',
    privateKey: KEY.privateKey.trim(),
    topic: 'com.example.shop',
    environment: 'sandbox',
    endpoint: server.origin,
    ca: throwAwayCertificate().cert,
  });
}

function claimsOf(authorization: string): { iat: number } {
  const [, claims = ''] = authorization.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number };
}

function send(payload = PAYLOAD, ttlSeconds = 60, token = TOKEN, by = sender): Promise<SendOutcome> {
  const expiresAt = new Date(clock.now().getTime() + ttlSeconds * 1_000 + (ttlSeconds > 0 ? 400 : 0));
  return sendOnce(by, { deliveryId: ID, token, payload, expiresAt, lastCallAt: Infinity });
}

/** Collects the requests that the server sees, and answers as before. */
function watch(): SeenRequest[] {
  const seen: SeenRequest[] = [];
  const before = handle;
  handle = (request) => {
    seen.push(request);
    before(request);
  };
  return seen;
}

it('the APNs sender sends the body and the headers that APNs wants, with a provider token that the key of the team signed', async () => {
  const seen = watch();
  expect(await send()).toEqual({ kind: 'accepted', vendorMessageId: ID });
  expect(seen[0]?.body).toBe(JSON.stringify(PAYLOAD.body));
  expect(seen[0]?.headers).toMatchObject({
    ':path': `/3/device/${TOKEN}`,
    'apns-id': ID,
    'apns-topic': 'com.example.shop',
    'apns-push-type': 'alert',
    'apns-priority': '10',
    'apns-collapse-id': 'c',
    'apns-expiration': String(clock.now().getTime() / 1_000 + 60),
  });
  const [header, claims, signature] = String(seen[0]?.headers.authorization).replace('bearer ', '').split('.') as [
    string,
    string,
    string,
  ];
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'ES256', kid: 'KEY1234567' });
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    iss: 'TEAM123456',
    iat: clock.now().getTime() / 1_000,
  });
  const key = { key: KEY.publicKey, dsaEncoding: 'ieee-p1363' as const };
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
});

it('the APNs sender says "now or never" as expiration 0', async () => {
  const seen = watch();
  await send(PAYLOAD, 0);
  expect(seen[0]?.headers['apns-expiration']).toBe('0');
});

it('the APNs sender keeps one provider token for 45 minutes', async () => {
  const seen = watch();
  await send();
  clock.advance(44 * 60_000);
  await send();
  clock.advance(60_000);
  await send();
  const tokens = seen.map(({ headers }) => headers.authorization);
  expect(tokens[1]).toBe(tokens[0]);
  expect(tokens[2]).not.toBe(tokens[0]);
});

it('the APNs sender makes another provider token when APNs calls it expired, once, and sends again', async () => {
  await send();
  clock.advance(25 * 60_000);
  let old: string | undefined;
  handle = ({ headers, answer }) => {
    old ??= headers.authorization;
    if (headers.authorization === old) answer(403, { reason: 'ExpiredProviderToken' });
    else answer(200, undefined, { 'apns-id': ID });
  };
  const seen = watch();
  const outcomes = await Promise.all([send(), send(), send()]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted']);
  expect(new Set(seen.map(({ headers }) => headers.authorization)).size).toBe(2);
});

it('the APNs sender makes no second provider token within 20 minutes: then our clock is wrong', async () => {
  handle = ({ answer }) => answer(403, { reason: 'ExpiredProviderToken' });
  const seen = watch();
  expect(await send()).toMatchObject({ kind: 'config', code: 'ExpiredProviderToken' });
  expect(seen).toHaveLength(1);
});

it('the APNs sender uses no provider token that was made by a clock that is hours ahead, whoever made it', async () => {
  const { settings, secrets } = storedCredentials();
  let held: IssuedToken | null = null;
  const connect = (): ProviderTokenStore => ({
    share: (_, offered, renewBefore) => {
      if (held === null || held.issuedAt <= renewBefore) held = offered;
      return Promise.resolve(held);
    },
  });
  const startWorker = (): Sender => {
    const options = { clock, allowPrivateEndpoints: true, providerTokens: connect() };
    return createSender('apns', { ...settings, ...secrets }, options);
  };
  const seen = watch();
  const rightTime = clock.now();
  clock.advance(2 * 3_600_000);
  const workers = [startWorker()];
  await send(PAYLOAD, 60, TOKEN, workers[0]);
  clock.returnTo(rightTime);
  workers.push(startWorker());
  for (const one of workers) expect(await send(PAYLOAD, 60, TOKEN, one)).toMatchObject({ kind: 'accepted' });
  const issuedAt = seen.map(({ headers }) => claimsOf(String(headers.authorization)).iat);
  const rightSeconds = rightTime.getTime() / 1_000;
  expect(issuedAt).toEqual([rightSeconds + 7_200, rightSeconds, rightSeconds]);
  await Promise.all(workers.map((one) => one.close()));
});

it('the APNs sender goes on with the provider token it has when APNs wants fewer new ones', async () => {
  handle = ({ answer }) => answer(429, { reason: 'TooManyProviderTokenUpdates' });
  const seen = watch();
  expect(await send()).toMatchObject({ kind: 'throttled', scope: 'route' });
  await send();
  expect(seen[1]?.headers.authorization).toBe(seen[0]?.headers.authorization);
});

it.each(['', 'not-hex', `${TOKEN}/../x`, `${TOKEN}\r\nx: y`])(
  'the APNs sender never puts the token %j on the wire',
  async (token) => {
    const seen = watch();
    expect(await send(PAYLOAD, 60, token)).toMatchObject({ kind: 'token_invalid', code: 'BadDeviceToken' });
    expect(seen).toHaveLength(0);
  },
);

it('the APNs sender shares one provider token between the applications of a key', async () => {
  const seen = watch();
  const credentials = {
    keyId: 'KEY1234567',
    teamId: 'TEAM123456',
    privateKey: KEY.privateKey.trim(),
    topic: 'com.example.other',
    endpoint: server.origin,
    ca: throwAwayCertificate().cert,
  };
  const other = createSender('apns', credentials, { clock, allowPrivateEndpoints: true });
  await send();
  await sendOnce(other, {
    deliveryId: ID,
    token: TOKEN,
    payload: PAYLOAD,
    expiresAt: clock.now(),
    lastCallAt: Infinity,
  });
  await other.close();
  expect(seen.map(({ headers }) => headers['apns-topic'])).toEqual(['com.example.shop', 'com.example.other']);
  expect(seen[1]?.headers.authorization).toBe(seen[0]?.headers.authorization);
});

it('the APNs sender finds credentials right when APNs finds fault with the made-up device only', async () => {
  handle = ({ answer }) => answer(400, { reason: 'BadDeviceToken' });
  expect(await sender.check()).toEqual({ ok: true });
  handle = ({ answer }) => answer(403, { reason: 'InvalidProviderToken' });
  expect(await sender.check()).toMatchObject({ ok: false, code: 'InvalidProviderToken' });
});
