import { tokenIdentity } from './token-identity';

describe('the identity of a vendor token', () => {
  const hex = '0a1b2c3d'.repeat(8);

  it('is the same for a token of APNs in capitals and in small letters', () => {
    expect(tokenIdentity({ pushType: 'apns', token: hex.toUpperCase() })).toBe(
      tokenIdentity({ pushType: 'apns', token: hex }),
    );
  });

  it('tells capitals from small letters in the tokens of other vendors', () => {
    for (const pushType of ['fcm', 'hms'] as const) {
      expect(tokenIdentity({ pushType, token: 'aB' })).not.toBe(tokenIdentity({ pushType, token: 'ab' }));
    }
  });

  it('is the endpoint of a Web Push subscription, and tells vendors apart', () => {
    const subscription = (p256dh: string): string =>
      JSON.stringify({ endpoint: 'https://push.example/A', keys: { p256dh, auth: 'a' } });
    expect(tokenIdentity({ pushType: 'webpush', token: subscription('one') })).toBe(
      tokenIdentity({ pushType: 'webpush', token: subscription('two') }),
    );
    expect(tokenIdentity({ pushType: 'apns', token: hex })).not.toBe(tokenIdentity({ pushType: 'hms', token: hex }));
  });
});
