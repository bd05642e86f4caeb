import { type FcmPayload, gapMark, GapValue, type JsonObject } from '@postrider/domain';
import fc from 'fast-check';
import { fcmBody } from './fcm-body';

const EXPIRES_AT = new Date(1_800_000_000_500);

function bodyOf(message: JsonObject, token = 't', ttlSeconds = 60): JsonObject {
  const payload: FcmPayload = { vendor: 'fcm', message };
  return JSON.parse(fcmBody(payload, token, ttlSeconds, EXPIRES_AT)) as JsonObject;
}

describe('the body of a send', () => {
  it('puts token and remaining life into every block that has one', () => {
    const message = {
      data: { m: '{}' },
      android: { priority: 'HIGH', ttl: 'old' },
      apns: { headers: { 'apns-priority': '10', 'apns-expiration': 'old' }, payload: { aps: {} } },
      webpush: { headers: { Urgency: 'high' } },
    };
    expect(bodyOf(message, 'to"ken')).toEqual({
      message: {
        token: 'to"ken',
        data: { m: '{}' },
        android: { priority: 'HIGH', ttl: '60s' },
        apns: { headers: { 'apns-priority': '10', 'apns-expiration': '1800000000' }, payload: { aps: {} } },
        webpush: { headers: { Urgency: 'high', TTL: '60' } },
      },
    });
  });

  it('says "now or never" as 0 everywhere', () => {
    expect(bodyOf({ apns: {}, webpush: {} }, 't', 0)).toEqual({
      message: {
        token: 't',
        android: { ttl: '0s' },
        apns: { headers: { 'apns-expiration': '0' } },
        webpush: { headers: { TTL: '0' } },
      },
    });
  });

  it('is valid JSON with nothing lost, whatever the payload', () => {
    const text = fc.string({ unit: 'grapheme' });
    const block = fc.dictionary(text, fc.jsonValue());
    const message = fc.record(
      { data: fc.dictionary(text, text), android: block, apns: block, webpush: block },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(message, text, (random, token) => {
        const { message: sent } = bodyOf(random as JsonObject, token) as { message: JsonObject };
        expect(sent.token).toBe(token);
        expect(sent.data).toEqual(JSON.parse(JSON.stringify({ d: random.data })).d);
        for (const [key, value] of Object.entries(random.android ?? {})) {
          if (key !== 'ttl')
            expect((sent.android as JsonObject)[key]).toEqual(JSON.parse(JSON.stringify({ value })).value);
        }
      }),
    );
  });

  it('is the same for a payload that is filled in and one that was built', () => {
    const platform = fc.constantFrom('android', 'apns', 'webpush');
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(platform, text, text, fc.boolean(), (name, first, second, isFirstDevice) => {
        const message = (a: string, b: string): JsonObject => ({
          data: { m: JSON.stringify({ a, b, plain: '"' }), a },
          [name]: { headers: { Urgency: 'high' }, priority: 'HIGH', payload: { alert: { a, b }, actions: [b] } },
          fcm_options: { analytics_label: 'x' },
        });
        const shape: FcmPayload = { vendor: 'fcm', message: message(gapMark('n0nce', 0), gapMark('n0nce', 1)) };
        const values = [first, second].map((value) => new GapValue(value));
        const built: FcmPayload = { vendor: 'fcm', isForOne: true, message: message(first, second) };
        const filled: FcmPayload = { ...built, message: {}, filling: { shape, nonce: 'n0nce', values } };
        const ttl = isFirstDevice ? 60 : 0;
        expect(fcmBody(filled, 'to"ken', ttl, EXPIRES_AT)).toBe(fcmBody(built, 'to"ken', ttl, EXPIRES_AT));
      }),
    );
  });
});
