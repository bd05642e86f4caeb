import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http2';
import { clockShowing, type RawAnswer, signJwt } from '@postrider/testing';
import { createPrivateKey } from 'node:crypto';
import type { WebPushSubscription } from '../../index';
import { useSimulator } from '../../testing/use-simulator';

/** RFC 8291 §3.4, from the sender's side. */
function encrypt(text: string, { keys }: WebPushSubscription): Buffer {
  const [receiver, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
  const ecdh = createECDH('prime256v1');
  const own = ecdh.generateKeys();
  const salt = randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, own]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(receiver), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = Buffer.concat([
    cipher.update(text),
    cipher.update(Buffer.from([2])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return Buffer.concat([salt, Buffer.from([0, 0, 16, 0, 65]), own, sealed]);
}

function pemOf(publicKey: string, privateKey: string): string {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: privateKey };
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString();
}

describe('a push service, as simulated', () => {
  let subscription: WebPushSubscription;
  const now = new Date('2026-11-21T10:00:00Z');
  const simulator = useSimulator({ clock: clockShowing(() => now) });
  beforeEach(async () => {
    const { controlOrigin, credentials } = simulator.running;
    const body = JSON.stringify({ applicationServerKey: credentials.webpush.publicKey });
    const answer = await fetch(`${controlOrigin}/control/webpush/subscriptions`, { method: 'POST', body });
    subscription = (await answer.json()) as WebPushSubscription;
  });

  function vapid(claims: object = {}, keys = simulator.credentials.webpush): string {
    const usual = { aud: simulator.running.origin, exp: now.getTime() / 1_000 + 3_600, sub: 'mailto:push@example.com' };
    return `vapid t=${signJwt({ ...usual, ...claims }, pemOf(keys.publicKey, keys.privateKey))}, k=${keys.publicKey}`;
  }

  function push(
    headers: OutgoingHttpHeaders = {},
    body: Buffer = encrypt('{"title":"Hello"}', subscription),
  ): Promise<RawAnswer> {
    const usual = { ttl: '60', 'content-encoding': 'aes128gcm', authorization: vapid(), urgency: 'high' };
    const given = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
    const path = new URL(subscription.endpoint).pathname;
    return simulator.client.request({ ':method': 'POST', ':path': path, ...Object.fromEntries(given) }, body);
  }

  it('decrypts what it accepts', async () => {
    const answer = await push();
    expect([answer.status, answer.headers.location]).toEqual([201, expect.stringMatching(/^\/message\//)]);
    expect(simulator.controls.messages()).toEqual([
      expect.objectContaining({ vendor: 'webpush', title: 'Hello', details: { ttl: '60', urgency: 'high' } }),
    ]);
  });

  it.each([
    ['no TTL', () => ({ ttl: undefined }), 400],
    ['a TTL of two months', () => ({ ttl: '5184000' }), 400],
    ['another encoding', () => ({ 'content-encoding': 'aesgcm' }), 400],
    ['an urgency that is none', () => ({ urgency: 'extreme' }), 400],
    ['a topic that is too long', () => ({ topic: 'x'.repeat(33) }), 400],
    ['no VAPID token', () => ({ authorization: undefined }), 401],
    ['a VAPID token for another origin', () => ({ authorization: vapid({ aud: 'https://example.com' }) }), 401],
    ['an expired VAPID token', () => ({ authorization: vapid({ exp: now.getTime() / 1_000 - 1 }) }), 401],
    [
      'a VAPID token good for two days',
      () => ({ authorization: vapid({ exp: now.getTime() / 1_000 + 172_800 }) }),
      401,
    ],
    ['a VAPID token of nobody', () => ({ authorization: vapid({ sub: undefined }) }), 401],
  ])('refuses %s', async (_name, headers, status) => {
    expect((await push(headers())).status).toBe(status);
    expect(simulator.controls.messages()).toEqual([]);
  });

  it('refuses a key that the subscription is not bound to, with 403', async () => {
    const ecdh = createECDH('prime256v1');
    const keys = { publicKey: ecdh.generateKeys('base64url'), privateKey: ecdh.getPrivateKey('base64url') };
    expect((await push({ authorization: vapid({}, { ...simulator.credentials.webpush, ...keys }) })).status).toBe(403);
  });

  it('refuses a body for another subscription, a damaged one and one that is too long', async () => {
    expect((await push({}, encrypt('x', simulator.controls.subscribe()))).status).toBe(400);
    const damaged = encrypt('x', subscription);
    damaged[damaged.length - 1]! ^= 1;
    expect((await push({}, damaged)).status).toBe(400);
    expect((await push({}, Buffer.alloc(4_097))).status).toBe(413);
    expect((await push({}, encrypt('x'.repeat(3_993), subscription))).status).toBe(201);
  });

  it('does not know a subscription it has not made, and calls a dead one gone', async () => {
    const made = subscription;
    subscription = { ...made, endpoint: `${made.endpoint.slice(0, -3)}AAA` };
    expect((await push()).status).toBe(404);
    subscription = simulator.controls.subscribe(simulator.credentials.webpush.publicKey, 'dead-');
    expect((await push({}, encrypt('x', subscription))).status).toBe(410);
  });
});
