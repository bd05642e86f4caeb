import type { Sample } from '../corpus-case';

const SETTINGS = {
  name: 'The shop',
  defaultAlertText: 'a',
  defaultRegion: 'NL',
  requireUserHash: false,
  clientTags: 'own',
  protectedAttributes: ['phone'],
  promoExhausted: 'skip',
  requestsPerSecond: 500,
  linkHosts: ['shop.example'],
  linkSchemes: ['shop'],
  matchByAddress: true,
  deferredLinkMinutes: 60,
  conversionWindowHours: 24,
  devicesPerSecond: 1000,
  quietHours: { start: '22:00', end: '08:00', timeZone: 'device', applies: 'campaigns' },
  defaultTimeZone: 'Europe/Amsterdam',
};
const VENDORS: Record<string, Record<string, object>> = {
  fcm: {
    account: {
      serviceAccount: {
        project_id: 'shop',
        client_email: 'push@shop.example',
        private_key: '<rsa key>',
        token_uri: 'https://oauth2.example/token',
      },
      endpoint: 'https://fcm.example',
    },
  },
  apns: {
    key: {
      keyId: 'ABC1234567',
      teamId: 'DEF1234567',
      privateKey: '<ec key>',
      topic: 'com.example.shop',
      environment: 'production',
      endpoint: 'https://apns.example',
      ca: null,
    },
  },
  hms: {
    app: { appId: '100', clientSecret: 's', endpoint: 'https://hms.example', tokenEndpoint: 'https://oauth.example' },
  },
  webpush: { subject: { subject: 'mailto:push@shop.example', publicKey: null, privateKey: null } },
  sms: {
    twilio: {
      provider: 'twilio',
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: 'secret',
      from: '+15005550006',
      messagingServiceSid: null,
      endpoint: 'https://twilio.example',
      onUnknown: 'leave',
    },
    kavenegar: {
      provider: 'kavenegar',
      apiKey: 'k',
      sender: '1000',
      endpoint: 'https://k.example',
      statusSecret: 's'.repeat(20),
    },
    http: {
      provider: 'http',
      endpoint: 'https://sms.example/send',
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body: '{"to":"{{ to }}","text":"{{ text }}"}',
      idPath: 'data.id',
      successStatus: 200,
      statusSecret: 's'.repeat(20),
    },
  },
};

/** Requests of the operator. */
export const OPERATING: Sample[] = [
  {
    operation: 'POST /api/admin/apps',
    url: '/admin/apps',
    name: 'an application',
    body: { id: 'new-<case>', ...SETTINGS },
  },
  { operation: 'PATCH /api/admin/apps/{id}', url: '/admin/apps/<case>', name: 'settings', body: SETTINGS, every: 2 },
  {
    operation: 'PATCH /api/admin/apps/{id}',
    url: '/admin/apps/<case>',
    name: 'frequency caps',
    body: { frequencyCaps: [{ messages: 3, seconds: 86_400 }] },
  },
  {
    operation: 'POST /api/admin/apps/{id}/rotate-identity-key',
    url: '/admin/apps/<case>/rotate-identity-key',
    name: 'an identity key',
    body: { identityKey: 'k'.repeat(32), formerValidSeconds: 0 },
  },
  {
    operation: 'POST /api/admin/apps/{id}/tokens',
    url: '/admin/apps/<case>/tokens',
    name: 'a token',
    body: { name: 'n', scopes: ['send', 'read'] },
  },
  ...Object.entries(VENDORS).flatMap(([vendor, kinds]) =>
    Object.entries(kinds).map(([kind, body]): Sample => ({
      operation: 'PUT /api/admin/apps/{id}/vendors/{vendor}',
      url: `/admin/apps/<case>/vendors/${vendor}`,
      name: `${vendor} ${kind}`,
      body,
    })),
  ),
];
