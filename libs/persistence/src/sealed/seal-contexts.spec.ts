import { SEAL_CONTEXTS } from './seal-contexts';

describe('the contexts of sealed values', () => {
  it('are those under which earlier versions sealed them', () => {
    expect([
      SEAL_CONTEXTS.identityKey('shop'),
      SEAL_CONTEXTS.formerIdentityKey('shop'),
      SEAL_CONTEXTS.phoneKey('1'),
      SEAL_CONTEXTS.vendorCredentials('shop', 'fcm'),
      SEAL_CONTEXTS.webhookSecrets('shop', '2'),
    ]).toEqual(['identity:shop', 'former-identity:shop', 'phone-key:1', 'vendor:shop:fcm', 'webhook:shop:2']);
  });
});
