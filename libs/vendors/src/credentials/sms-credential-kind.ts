import { randomBytes } from 'node:crypto';
import type { ErrorDetail } from '@postrider/domain';
import { bodyFormatOf, SmsTemplate } from '../sms/generic/sms-template';
import type { HttpSmsCredentials, KavenegarCredentials, OnUnknown, TwilioCredentials } from '../sms/sms-credentials';
import { problemsOfAddresses, problemsOfAuthority } from './material';
import { type CredentialKind, present, type Readable, type StoredCredentials } from './stored-credentials';

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
export const SMS_CREDENTIALS: CredentialKind<SmsValues> = {
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

/** A template that fails, or that makes JSON nobody can read, fails here and not when the first SMS is due. */
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

/** What reports of a provider that signs nothing show in their address. */
function newStatusSecret(): string {
  return randomBytes(24).toString('base64url');
}
