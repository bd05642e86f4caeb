import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@postrider/domain';
import { bodyFormatOf, SmsTemplate } from '../sms/generic/sms-template';
import { ID_PATH } from '../sms/generic/read-path';
import { SMS_PROVIDERS } from '../sms/sms-sender';
import { FieldReader, present } from './field-reader';
import type { ParsedCredentials } from './parse-credentials';
import { readCertificates } from './read-certificates';

const TWILIO = 'https://api.twilio.com';
const KAVENEGAR = 'https://api.kavenegar.com';
const ACCOUNT = { regex: /^AC[0-9a-fA-F]{32}$/, says: 'must be AC and 32 hexadecimal digits' };
const SERVICE = { regex: /^MG[0-9a-fA-F]{32}$/, says: 'must be MG and 32 hexadecimal digits' };
const VISIBLE = { regex: /^[\x21-\x7e]{1,500}$/, says: 'must be printable characters without blanks' };
const SENDER = { regex: /^[\x20-\x7e]{1,50}$/, says: 'must be a number or a sender id' };
const PATH = { regex: ID_PATH, says: 'must be a path such as data.messages[0].id' };
const SECRET = { regex: /^[A-Za-z0-9_-]{16,128}$/, says: 'must be 16 to 128 letters, digits, - or _' };
const ON_UNKNOWN = ['leave', 'resend'] as const;
const METHODS = ['POST', 'PUT', 'PATCH', 'GET'] as const;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,4000}$/;
const OUR_HEADERS = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect']);
const SAMPLE = { to: '+15005550006', text: 'A "text"\nof two lines, 50% & more', id: 'id' };

/** `{ provider, onUnknown?, … }`: what the provider's own reader says. */
export function parseSmsCredentials(body: unknown, allowPlain: boolean): ParsedCredentials {
  const fields = new FieldReader(body);
  const provider = fields.oneOf('provider', SMS_PROVIDERS);
  const { settings, secrets } = READERS[provider](fields, allowPlain);
  const onUnknown = fields.has('onUnknown') ? fields.oneOf('onUnknown', ON_UNKNOWN) : undefined;
  fields.finish();
  return { settings: present({ ...settings, onUnknown }), secrets };
}

const READERS: Record<(typeof SMS_PROVIDERS)[number], (fields: FieldReader, allowPlain: boolean) => ParsedCredentials> =
  { twilio: readTwilio, kavenegar: readKavenegar, http: readHttp };

/** `{ accountSid, authToken, from or messagingServiceSid, endpoint?, ca? }` */
function readTwilio(fields: FieldReader, allowPlain: boolean): ParsedCredentials {
  const from = fields.optionalText('from', SENDER);
  const messagingServiceSid = fields.optionalText('messagingServiceSid', SERVICE);
  if ((from === undefined) === (messagingServiceSid === undefined)) {
    fields.fail('from', 'or messagingServiceSid is required, and not both');
  }
  const settings = {
    provider: 'twilio',
    accountSid: fields.text('accountSid', ACCOUNT),
    from,
    messagingServiceSid,
    endpoint: fields.url('endpoint', { allowPlain, default: TWILIO }),
    ca: readCertificates(fields),
  };
  return { settings: present(settings), secrets: { authToken: fields.text('authToken', VISIBLE) } };
}

/** `{ apiKey, sender, endpoint?, ca?, statusSecret? }` */
function readKavenegar(fields: FieldReader, allowPlain: boolean): ParsedCredentials {
  const settings = {
    provider: 'kavenegar',
    sender: fields.text('sender', SENDER),
    endpoint: fields.url('endpoint', { allowPlain, default: KAVENEGAR }),
    ca: readCertificates(fields),
  };
  const secrets = { apiKey: fields.text('apiKey', VISIBLE), statusSecret: readStatusSecret(fields) };
  return { settings: present(settings), secrets };
}

/** `{ endpoint, method?, headers?, body, successStatus?, idPath?, ca?, statusSecret? }` */
function readHttp(fields: FieldReader, allowPlain: boolean): ParsedCredentials {
  const address = fields.url('endpoint', { allowPlain });
  const { endpoint, query } = URL.canParse(address) ? splitUrl(address) : { endpoint: '', query: '' };
  const method = fields.has('method') ? fields.oneOf('method', METHODS) : 'POST';
  const settings = {
    provider: 'http',
    endpoint,
    method,
    successStatus: readStatuses(fields),
    idPath: fields.optionalText('idPath', PATH),
    ca: readCertificates(fields),
  };
  const headers = readHeaders(fields);
  const body = fields.text('body');
  checkTemplate(fields, body, method === 'GET' ? 'application/x-www-form-urlencoded' : contentTypeOf(headers));
  return { settings: present(settings), secrets: { query, headers, body, statusSecret: readStatusSecret(fields) } };
}

/** The query may hold a key, so it is kept with the secrets. */
function splitUrl(address: string): { endpoint: string; query: string } {
  const url = new URL(address);
  const query = url.search;
  url.search = '';
  return { endpoint: url.toString(), query };
}

function readStatuses(fields: FieldReader): number[] {
  const statuses = [fields.value('successStatus') ?? []].flat();
  const areGood = statuses.every(
    (status) => Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599,
  );
  if (!areGood) fields.fail('successStatus', 'must be an HTTP status or a list of them');
  return areGood ? (statuses as number[]) : [];
}

function readHeaders(fields: FieldReader): JsonObject {
  const value = fields.value('headers') ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    fields.fail('headers', 'must be an object');
    return {};
  }
  for (const [name, text] of Object.entries(value)) {
    const isGood = HEADER_NAME.test(name) && typeof text === 'string' && HEADER_VALUE.test(text);
    if (!isGood) fields.fail(`headers.${name}`, 'must be a header in printable characters');
    else if (OUR_HEADERS.has(name.toLowerCase())) fields.fail(`headers.${name}`, 'is set by the connection itself');
  }
  return value as JsonObject;
}

function contentTypeOf(headers: JsonObject): string | undefined {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return typeof found === 'string' ? found : undefined;
}

/** A template that fails, or that makes JSON nobody can read, fails here and not when the first SMS is due. */
function checkTemplate(fields: FieldReader, body: string, contentType: string | undefined): void {
  if (body === '') return;
  const format = bodyFormatOf(body, contentType);
  let made: string;
  try {
    made = new SmsTemplate(body, format).render(SAMPLE);
  } catch (error) {
    fields.fail('body', `is no template over to, text and id: ${error instanceof Error ? error.message : ''}`);
    return;
  }
  if (format === 'json' && !isJson(made)) fields.fail('body', 'must become JSON, as its content type says');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What reports of a provider that signs nothing show in their address; made when none is given. */
function readStatusSecret(fields: FieldReader): string {
  return fields.optionalText('statusSecret', SECRET) ?? randomBytes(24).toString('base64url');
}
