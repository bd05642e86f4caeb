import { type ErrorDetail, withoutTrailing } from '@postrider/domain';
import { createECDH, randomBytes } from 'node:crypto';
import { APNS_ENDPOINTS, type ApnsCredentials } from '../apns/apns.sender';
import type { HmsCredentials } from '../hms/hms.sender';
import { bodyFormatOf, SmsTemplate } from '../sms/generic/sms-template';
import type { HttpSmsCredentials, KavenegarCredentials, OnUnknown, TwilioCredentials } from '../sms/sms-sender';
import {
  type CredentialKind,
  present,
  problemsOfAddresses,
  problemsOfAuthority,
  problemsOfKey,
  type Readable,
  type StoredCredentials,
} from './credential-kind';

type WithChoice<Credentials> = Credentials & { onUnknown?: OnUnknown };

/** Credentials of an SMS provider as an operator sends them. */
type SmsValues =
  | WithChoice<TwilioCredentials>
  | WithChoice<Omit<KavenegarCredentials, 'statusSecret'> & { statusSecret?: string }>
  | WithChoice<HttpSmsValues>;

type HttpSmsValues = Pick<HttpSmsCredentials, 'provider' | 'endpoint' | 'method' | 'body' | 'idPath' | 'ca'> &
  Partial<Pick<HttpSmsCredentials, 'headers' | 'successStatus' | 'statusSecret'>>;

const SAMPLE = { to: '+15005550006', text: 'A "text"\nof two lines, 50% & more', id: 'id' };

/** The credentials of SMS providers. */
const SMS_CREDENTIALS: CredentialKind<SmsValues> = {
  problems: (values, rules) => [
    ...problemsOfAddresses({ endpoint: values.endpoint }, rules),
    ...problemsOfAuthority(values.ca),
    ...(values.provider === 'http' ? problemsOfTemplate(values) : []),
  ],
  stored: storedCredentials,
};

/** A secret for the reports of a provider that signs none is made when it is left out. */
function storedCredentials(values: SmsValues): StoredCredentials {
  switch (values.provider) {
    case 'twilio': {
      const { authToken, ...settings } = values;
      return { settings: present(settings), secrets: { authToken } };
    }
    case 'kavenegar': {
      const { apiKey, statusSecret = newStatusSecret(), ...settings } = values;
      return { settings: present(settings), secrets: { apiKey, statusSecret } };
    }
    case 'http': {
      const { headers = {}, body, successStatus = [], statusSecret = newStatusSecret(), ...rest } = values;
      const { endpoint, query } = splitUrl(values.endpoint);
      const settings = { ...rest, endpoint, successStatus };
      return { settings: present(settings), secrets: { query, headers, body, statusSecret } };
    }
  }
}

/** A template that fails, or that makes unreadable JSON, fails here and not when the first SMS is due. */
function problemsOfTemplate({ body, method, headers }: Readable<HttpSmsValues>): ErrorDetail[] {
  if (body === undefined) return [];
  const format = bodyFormatOf(body, method === 'GET' ? 'application/x-www-form-urlencoded' : contentTypeOf(headers));
  let made: string;
  try {
    made = new SmsTemplate(body, format).render(SAMPLE);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return [{ path: 'body', message: `must be a Liquid template of the variables to, text and id: ${reason}` }];
  }
  if (format !== 'json' || isJson(made)) return [];
  return [{ path: 'body', message: 'must become JSON, as its content type says' }];
}

/** The query may hold a key, so it is kept with the secrets. */
function splitUrl(address: string): { endpoint: string; query: string } {
  const url = new URL(address);
  const query = url.search;
  url.search = '';
  return { endpoint: url.toString(), query };
}

function contentTypeOf(headers: Record<string, string> = {}): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the secret that the reports of a provider without signatures show in their address. */
function newStatusSecret(): string {
  return randomBytes(24).toString('base64url');
}

const CURVE = 'prime256v1';
const PRIVATE_KEY_BYTES = 32;

/** A VAPID key pair (RFC 8292), base64url. */
interface VapidPair {
  publicKey: string;
  privateKey: string;
}

/** A new pair. */
function newVapidPair(): VapidPair {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  const privateKey = Buffer.alloc(PRIVATE_KEY_BYTES);
  const bytes = ecdh.getPrivateKey();
  bytes.copy(privateKey, PRIVATE_KEY_BYTES - bytes.length);
  return { publicKey: ecdh.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') };
}

/** The pair of a private key. @throws when it is none of the curve */
function vapidPairOf(privateKey: string): VapidPair {
  const bytes = Buffer.from(privateKey, 'base64url');
  if (bytes.length !== PRIVATE_KEY_BYTES) throw new RangeError(`A key of ${bytes.length} bytes`);
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(bytes);
  return { publicKey: ecdh.getPublicKey().toString('base64url'), privateKey: bytes.toString('base64url') };
}

/** Returns the error of a pair: the private key is not one, or the public one belongs to another. */
function problemsOfPair({ publicKey, privateKey }: Partial<VapidPair>): ErrorDetail[] {
  if (privateKey === undefined) return [];
  let pair: VapidPair;
  try {
    pair = vapidPairOf(privateKey);
  } catch {
    return [{ path: 'privateKey', message: 'must be a P-256 private key of 32 bytes in base64url' }];
  }
  if (publicKey === undefined || withoutTrailing(publicKey, '=') === pair.publicKey) return [];
  return [{ path: 'publicKey', message: 'does not belong to privateKey' }];
}

/** A Firebase service account, by the names that Google gives its fields, and where the send API is. */
interface FcmValues {
  serviceAccount: { project_id: string; client_email: string; private_key: string; token_uri: string };
  endpoint: string;
}

type ApnsValues = Omit<ApnsCredentials, 'endpoint'> & { endpoint?: string };
type WebPushValues = Partial<VapidPair> & { subject: string };

const FCM: CredentialKind<FcmValues> = {
  problems: ({ serviceAccount = {}, endpoint }, rules) => [
    ...problemsOfAddresses({ 'serviceAccount.token_uri': serviceAccount.token_uri, endpoint }, rules),
    ...problemsOfKey('serviceAccount.private_key', serviceAccount.private_key, 'RSA'),
  ],
  stored: ({ serviceAccount, endpoint }) => {
    const { project_id, client_email, token_uri, private_key } = serviceAccount;
    const settings = { projectId: project_id, clientEmail: client_email, tokenUri: token_uri, endpoint };
    return { settings, secrets: { privateKey: private_key } };
  },
};

const APNS: CredentialKind<ApnsValues> = {
  problems: ({ endpoint, ca, privateKey }, rules) => [
    ...problemsOfAddresses({ endpoint }, rules),
    ...problemsOfAuthority(ca),
    ...problemsOfKey('privateKey', privateKey, 'P-256'),
  ],
  stored: ({ privateKey, endpoint, ...settings }) => ({
    settings: present({ ...settings, endpoint: endpoint ?? APNS_ENDPOINTS[settings.environment] }),
    secrets: { privateKey },
  }),
};

const HMS: CredentialKind<HmsCredentials> = {
  problems: ({ endpoint, tokenEndpoint }, rules) => problemsOfAddresses({ endpoint, tokenEndpoint }, rules),
  stored: ({ clientSecret, ...settings }) => ({ settings, secrets: { clientSecret } }),
};

const WEB_PUSH: CredentialKind<WebPushValues> = {
  problems: problemsOfPair,
  stored: ({ subject, privateKey: given }) => {
    const { publicKey, privateKey } = given === undefined ? newVapidPair() : vapidPairOf(given);
    return { settings: { subject, publicKey }, secrets: { privateKey } };
  },
};

/** The credentials of every vendor. */
export const CREDENTIAL_KINDS = { fcm: FCM, apns: APNS, hms: HMS, webpush: WEB_PUSH, sms: SMS_CREDENTIALS };
