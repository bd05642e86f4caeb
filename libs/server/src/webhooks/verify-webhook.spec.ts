import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './verify-webhook';
import type { WebhookData } from './webhook-event';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret').toString('base64')}`;
const NOW = 1_800_000_000_000;
const BODY = JSON.stringify({ id: 'e1', type: 'webhook.test', createdAt: '', appId: 'shop', data: { message: 'ü' } });

/** As the standard says it: https://www.standardwebhooks.com. */
function sign(body: string, { secret = SECRET, id = 'e1', seconds = NOW / 1_000 } = {}): Record<string, string> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

describe('a webhook', () => {
  const verify = (headers: WebhookHeaders, body: string | Uint8Array = BODY, secret: string | string[] = SECRET) =>
    verifyWebhook(headers, body, secret, { now: NOW });
  const refusalOf = (...words: Parameters<typeof verify>): string => {
    try {
      verify(...words);
      return 'taken';
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return error.code;
    }
  };

  it('is taken with its signature: from every kind of headers, as text and as bytes', () => {
    const headers = sign(BODY);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const given of [headers, new Headers(headers), upper]) {
      expect(verify(given)).toMatchObject({ id: 'e1', appId: 'shop', data: { message: 'ü' } });
      expect(verify(given, Buffer.from(BODY))).toMatchObject({ id: 'e1' });
    }
  });

  it('of a fallback may no longer name its user, who was erased before it was sent again', () => {
    const data: WebhookData['fallback.sent'] = {
      messageId: 'm1',
      userId: null,
      provider: 'twilio',
      phone: null,
      sentAt: '2026-05-01T09:00:00.100Z',
    };
    const event = { id: 'e1', type: 'fallback.sent', createdAt: '2026-05-01T09:00:00.100Z', appId: 'shop', data };
    const body = JSON.stringify(event);
    expect(verify(sign(body), body)).toEqual(event);
  });

  it('is signed as the reference example of Standard Webhooks', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const verifyIt = (): unknown =>
      verifyWebhook(headers, '{"test": 2432232314}', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
        now: 1_614_265_330_000,
      });
    // The signature is right; the body of the example is not an event of ours.
    expect(verifyIt).toThrow(expect.objectContaining({ code: 'bad_body' }));
  });

  it('is taken while a secret is exchanged, on both sides', () => {
    const [right, other] = [sign(BODY), sign(BODY, { secret: OTHER })];
    const both = { ...right, 'webhook-signature': `${other['webhook-signature']} ${right['webhook-signature']}` };
    expect(refusalOf(both)).toBe('taken');
    expect(refusalOf(other, BODY, [SECRET, OTHER])).toBe('taken');
    expect(refusalOf(other)).toBe('bad_signature');
  });

  it('is refused when anything of it was changed', () => {
    fc.assert(
      fc.property(fc.nat(BODY.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
        const changed = BODY.slice(0, at) + letter + BODY.slice(at + 1);
        expect(refusalOf(sign(BODY), changed)).toBe(changed === BODY ? 'taken' : 'bad_signature');
      }),
    );
    expect(refusalOf({ ...sign(BODY), 'webhook-id': 'e2' })).toBe('bad_signature');
    expect(refusalOf({ ...sign(BODY), 'webhook-timestamp': String(NOW / 1_000 + 1) })).toBe('bad_signature');
  });

  it.each([
    [-301, 'bad_timestamp'],
    [-300, 'taken'],
    [300, 'taken'],
    [301, 'bad_timestamp'],
  ])('of %d seconds from now: %s', (seconds, outcome) => {
    expect(refusalOf(sign(BODY, { seconds: NOW / 1_000 + seconds }))).toBe(outcome);
  });

  it.each(['', 'x', '1e9', '-5', ' 1800000000', '1800000000.5', 'Infinity'])(
    'with the timestamp %j is refused',
    (text) => {
      expect(refusalOf({ ...sign(BODY), 'webhook-timestamp': text })).toMatch(/bad_timestamp|missing_header/);
    },
  );

  it.each(['', 'v1,', 'v1,AAAA', 'v2,x', 'v1,' + 'A'.repeat(44), 'x '.repeat(100_000)])(
    'with a signature that is none is refused: %.20s',
    (signature) => {
      expect(refusalOf({ ...sign(BODY), 'webhook-signature': signature })).toMatch(/bad_signature|missing_header/);
    },
  );

  it('that is not the event its header names, or no JSON, or no UTF-8, is refused', () => {
    for (const body of ['', '[]', 'null', '{"id":"e2","type":"webhook.test"}', '{"id":"e1"}']) {
      expect([body, refusalOf(sign(body), body)]).toEqual([body, 'bad_body']);
    }
    const bytes = Buffer.from([0x22, 0xff, 0x22]);
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key)
      .update(`e1.${NOW / 1_000}.`)
      .update(bytes)
      .digest('base64');
    expect(refusalOf({ ...sign(''), 'webhook-signature': `v1,${signature}` }, bytes)).toBe('bad_body');
  });

  it.each(['', 'whsec_', 'abc', [], [SECRET, ''], [undefined], undefined, null])(
    'cannot be verified with the secret %j',
    (secret) => {
      const verifyIt = (): unknown => verifyWebhook(sign(BODY), BODY, secret as string, { now: NOW });
      expect(verifyIt).toThrow(TypeError);
      expect(verifyIt).toThrow(/^secret must be/);
    },
  );

  it.each([{ body: JSON.parse(BODY) as unknown }, { body: undefined }, { body: null }, { body: 5 }])(
    'cannot be verified by a body that was parsed before: %j',
    ({ body }) => {
      const verifyIt = (): unknown => verifyWebhook(sign(BODY), body as string, SECRET, { now: NOW });
      expect(verifyIt).toThrow(TypeError);
      expect(verifyIt).toThrow(/^body must be the text or the bytes of the request, as they came/);
    },
  );
});
