import { createECDH, createPublicKey, verify } from 'node:crypto';
import type { SendOutcome, WebPushPayload } from '@postrider/domain';
import { type SeenRequest, startHttp2Server, TestClock, type TestHttp2Server, untilTrue } from '@postrider/testing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSender } from '../create-sender';
import { CREDENTIAL_KINDS } from '../credentials/credential-kinds';
import { stopTime } from '../http2/testing/pool-stage';
import { type Sender, sendOnce } from '../sender';

const PAYLOAD: WebPushPayload = { vendor: 'webpush', body: { title: 'T' }, urgency: 'high' };
const CREDENTIALS = CREDENTIAL_KINDS.webpush.stored({ subject: 'mailto:ops@example.com' });
const BROWSER = createECDH('prime256v1');
const KEYS = { p256dh: BROWSER.generateKeys('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') };

let server: TestHttp2Server;
let sender: Sender;
let clock: TestClock;
let handle: (request: SeenRequest) => void;

beforeEach(async () => {
  clock = new TestClock(Date.parse('2026-01-01T00:00:00Z'));
  handle = ({ answer }) => answer(201, undefined, { location: '/message/1' });
  server = await startHttp2Server((request) => handle(request));
  sender = makeSender(true);
});

afterEach(async () => {
  jest.useRealTimers();
  await sender.close();
  await server.close();
});

function makeSender(allowPrivatePushServices: boolean): Sender {
  const credentials = { ...CREDENTIALS.settings, ...CREDENTIALS.secrets };
  return createSender('webpush', credentials, { clock, allowPrivateEndpoints: true, allowPrivatePushServices });
}

function send(token: string, payload = PAYLOAD): Promise<SendOutcome> {
  const expiresAt = new Date(clock.now().getTime() + 60_000);
  return sendOnce(sender, { deliveryId: 'd', token, payload, expiresAt, lastCallAt: expiresAt.getTime() });
}

const subscription = (changes: object = {}): string =>
  JSON.stringify({ endpoint: `${server.origin}/push/abc?x=1`, expirationTime: null, keys: KEYS, ...changes });

it('the Web Push sender posts the encrypted body with the headers of RFC 8030 and a VAPID signature for that push service', async () => {
  const seen: SeenRequest[] = [];
  handle = (request) => {
    seen.push(request);
    request.answer(201, undefined, { location: '/message/1' });
  };
  expect(await send(subscription())).toEqual({ kind: 'accepted', vendorMessageId: '/message/1' });
  await send(subscription());
  const { headers } = seen[0] as SeenRequest;
  expect(headers).toMatchObject({
    ':path': '/push/abc?x=1',
    ttl: '60',
    urgency: 'high',
    'content-encoding': 'aes128gcm',
  });
  expect(headers).not.toHaveProperty('topic');
  expect(seen[1]?.headers.authorization).toBe(headers.authorization);

  const [, jwt = '', publicKey = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  const [header, claims, signature] = jwt.split('.') as [string, string, string];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    aud: server.origin,
    exp: clock.now().getTime() / 1_000 + 12 * 3_600,
    sub: 'mailto:ops@example.com',
  });
  expect(publicKey).toBe(CREDENTIALS.settings.publicKey);
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true);
});

it('the Web Push sender reaches a push service that speaks only HTTP/1.1', async () => {
  const service = createServer((_, response) => response.writeHead(201, { location: '/message/2' }).end());
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/push/abc`;
  expect(await send(subscription({ endpoint }))).toEqual({ kind: 'accepted', vendorMessageId: '/message/2' });
  await sender.close();
  service.close();
});

it.each([
  [201, 'accepted'],
  [202, 'accepted'],
  [400, 'request_invalid'],
  [401, 'mismatch'],
  [403, 'mismatch'],
  [404, 'token_invalid'],
  [410, 'token_invalid'],
  [413, 'request_invalid'],
  [429, 'throttled'],
  [500, 'retryable'],
  [502, 'retryable'],
  [503, 'retryable'],
])('HTTP %d of a push service is %s', async (status, kind) => {
  handle = ({ answer }) => answer(status);
  expect((await send(subscription())).kind).toBe(kind);
});

it.each([
  ['no JSON', 'abc'],
  ['null', 'null'],
  ['no keys', JSON.stringify({ endpoint: 'https://x.example' })],
  ['a key that is no point', subscriptionWith(Buffer.alloc(65, 4).toString('base64url'))],
  ['another scheme', JSON.stringify({ endpoint: 'file:///etc/passwd', keys: KEYS })],
])('the Web Push sender calls a subscription dead that cannot be used: %s', async (_name, token) => {
  expect(await send(token)).toMatchObject({ kind: 'token_invalid', code: 'BAD_SUBSCRIPTION' });
});

function subscriptionWith(p256dh: string): string {
  return JSON.stringify({ endpoint: 'https://x.example', keys: { ...KEYS, p256dh } });
}

it('the Web Push sender refuses a payload that does not fit one record', async () => {
  const large: WebPushPayload = { ...PAYLOAD, body: { title: 'x'.repeat(4_000) } };
  expect(await send(subscription(), large)).toMatchObject({ kind: 'request_invalid', code: 'PAYLOAD_TOO_LARGE' });
});

it('the Web Push sender never calls a private address that a device registered, and blames that device alone', async () => {
  await sender.close();
  sender = makeSender(false);
  const token = subscription({ endpoint: `https://127.0.0.1:${server.port}/push` });
  expect(await send(token)).toMatchObject({ kind: 'token_invalid', code: 'PRIVATE_ADDRESS' });
  expect(server.opened).toBe(0);
});

describe('push services of strangers', () => {
  it.each(['http://127.0.0.1:9', 'https://127.0.0.1:9', 'https://169.254.169.254', 'http://example.com'])(
    'are public https only, whatever is allowed to the operator: %s',
    async (origin) => {
      await sender.close();
      sender = makeSender(false);
      expect(await send(subscription({ endpoint: `${origin}/push/1` }))).toMatchObject({
        kind: 'token_invalid',
        code: expect.stringMatching(/PRIVATE_ADDRESS|PLAIN_ENDPOINT/) as string,
      });
    },
  );

  it('hold a small share of the pool while they do not answer: others go on, and nothing is held for ever', async () => {
    const unanswered: SeenRequest[] = [];
    const silent = await startHttp2Server((request) => unanswered.push(request));
    await sender.close();
    stopTime();
    const credentials = { ...CREDENTIALS.settings, ...CREDENTIALS.secrets };
    const allowed = { allowPrivateEndpoints: false, allowPrivatePushServices: true };
    sender = createSender('webpush', credentials, { clock, ...allowed, maxInFlight: 64, deadlineMs: 4_000 });
    const toSilent = Array.from({ length: 50 }, () => send(subscription({ endpoint: `${silent.origin}/p` })));
    const toOthers = await Promise.all(Array.from({ length: 4 }, () => send(subscription())));
    expect(toOthers.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    await untilTrue(() => unanswered.length === 4);
    jest.advanceTimersByTime(5_000);
    const outcomes = await Promise.all(toSilent);
    expect(outcomes.filter(({ kind }) => kind === 'ambiguous')).toHaveLength(4);
    expect(outcomes.filter((one) => one.kind === 'throttled' && one.code === 'HOST_BUSY')).toHaveLength(46);
    expect(sender.capacity.free()).toBeGreaterThan(0);
    await silent.close();
  });
});
