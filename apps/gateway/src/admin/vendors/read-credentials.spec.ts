import { createECDH, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { InvalidRequest, type PushVendor } from '@postrider/domain';
import { readCredentials } from './read-credentials';

const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const RSA = pkcs8(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey);
const P256 = pkcs8(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const ACCOUNT = { project_id: 'p', client_email: 'a@b.c', private_key: RSA, token_uri: 'https://t.example/token' };
const APNS = { keyId: 'KEY1234567', teamId: 'TEAM123456', privateKey: P256, topic: 'com.x', environment: 'production' };

const parse = (vendor: PushVendor, body: unknown, allowPrivateEndpoints = false): ReturnType<typeof readCredentials> =>
  readCredentials(vendor, body, { allowPrivateEndpoints });

function badFields(vendor: PushVendor, body: unknown): string[] {
  try {
    parse(vendor, body);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.options.details?.map(({ path }) => path) ?? [];
    throw error;
  }
  return [];
}

describe('credentials', () => {
  it('of FCM show the project, and seal the key', () => {
    expect(parse('fcm', { serviceAccount: { ...ACCOUNT, private_key_id: 'ignored' } })).toEqual({
      settings: {
        projectId: 'p',
        clientEmail: 'a@b.c',
        tokenUri: 'https://t.example/token',
        endpoint: 'https://fcm.googleapis.com',
      },
      secrets: { privateKey: RSA.trim() },
    });
  });

  it('of APNs have the endpoint of their environment', () => {
    expect(parse('apns', APNS).settings).toMatchObject({ endpoint: 'https://api.push.apple.com', topic: 'com.x' });
    const sandbox = parse('apns', { ...APNS, environment: 'sandbox' });
    expect(sandbox.settings).toMatchObject({ endpoint: 'https://api.sandbox.push.apple.com' });
    expect(JSON.stringify(sandbox.settings)).not.toContain('PRIVATE');
  });

  it('of Huawei have its two endpoints, and seal the secret', () => {
    expect(parse('hms', { appId: '100', clientSecret: 's' })).toEqual({
      settings: {
        appId: '100',
        endpoint: 'https://push-api.cloud.huawei.com',
        tokenEndpoint: 'https://oauth-login.cloud.huawei.com',
      },
      secrets: { clientSecret: 's' },
    });
  });

  it('of Web Push get a VAPID pair when none is given, whose keys belong together', () => {
    const { settings, secrets } = parse('webpush', { subject: 'mailto:a@b.c' });
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(secrets.privateKey as string, 'base64url');
    expect(settings).toEqual({ subject: 'mailto:a@b.c', publicKey: ecdh.getPublicKey('base64url') });
    const again = { subject: 'mailto:a@b.c', ...settings, privateKey: secrets.privateKey };
    expect(parse('webpush', again)).toEqual({ settings, secrets });
  });

  it('take a key whose line breaks were escaped', () => {
    const escaped = { ...ACCOUNT, private_key: RSA.replaceAll('\n', '\\n') };
    expect(parse('fcm', { serviceAccount: escaped }).secrets.privateKey).toBe(RSA.trim());
  });

  it('name every bad field at once', () => {
    expect(badFields('fcm', { serviceAccount: { private_key: P256 }, endpoint: 7 }).sort()).toEqual([
      'endpoint',
      'serviceAccount.client_email',
      'serviceAccount.private_key',
      'serviceAccount.project_id',
    ]);
    expect(badFields('fcm', {})).toEqual(['serviceAccount']);
    expect(badFields('fcm', undefined)).toEqual(['']);
    expect(badFields('apns', { ...APNS, privateKey: RSA, environment: 'x', topic: 'a b', ca: 'no' }).sort()).toEqual([
      'ca',
      'environment',
      'privateKey',
      'topic',
    ]);
    for (const privateKey of ['not a key', ' ', '\\n']) {
      expect(badFields('apns', { ...APNS, privateKey })).toEqual(['privateKey']);
    }
    expect(badFields('hms', {})).toEqual(['appId', 'clientSecret']);
    expect(badFields('webpush', { subject: 'me', publicKey: 'x' })).toEqual(['subject', 'privateKey']);
    expect(badFields('webpush', { subject: 'mailto:a@b.c', publicKey: 5 })).toEqual(['publicKey', 'privateKey']);
    const foreign = parse('webpush', { subject: 'mailto:a@b.c' }).settings.publicKey;
    const { secrets } = parse('webpush', { subject: 'mailto:a@b.c' });
    const mixed = { subject: 'mailto:a@b.c', publicKey: foreign, privateKey: secrets.privateKey };
    expect(badFields('webpush', mixed)).toEqual(['publicKey']);
  });

  it('take plain http only where private endpoints are allowed', () => {
    expect(badFields('apns', { ...APNS, endpoint: 'http://127.0.0.1:1' })).toEqual(['endpoint']);
    expect(parse('apns', { ...APNS, endpoint: 'http://127.0.0.1:1/' }, true).settings.endpoint).toBe(
      'http://127.0.0.1:1',
    );
    expect(badFields('apns', { ...APNS, endpoint: 'ftp://x' })).toEqual(['endpoint']);
    expect(badFields('apns', { ...APNS, endpoint: 'https://user:pw@x' })).toEqual(['endpoint']);
  });

  it('refuse a query in an address to which the path of the call is added, and keep that of the token address', () => {
    const [query, account] = ['https://x.example/base?key=1', { serviceAccount: ACCOUNT }];
    expect(badFields('fcm', { ...account, endpoint: query })).toEqual(['endpoint']);
    expect(badFields('apns', { ...APNS, endpoint: 'https://x.example/#top' })).toEqual(['endpoint']);
    const huawei = { appId: '100', clientSecret: 's', endpoint: query, tokenEndpoint: query };
    expect(badFields('hms', huawei).sort()).toEqual(['endpoint', 'tokenEndpoint']);
    const serviceAccount = { ...ACCOUNT, token_uri: 'https://t.example/token?key=1' };
    expect(parse('fcm', { serviceAccount }).settings.tokenUri).toBe('https://t.example/token?key=1');
  });
});
