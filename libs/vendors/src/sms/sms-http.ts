import { type JsonObject, parseJsonObject, storableText } from '@postrider/domain';
import { HttpClient, type LateBody } from '../http1/http-client';
import type { SmsOutcome, SmsSenderOptions } from './sms-sender';

const DEADLINE_MS = 30_000;

/** Calls to a provider at once: callers keep to it, so that none waits for a connection while its lease runs. */
export const SMS_CONNECTIONS = 16;

/** A request's body; the request is not written any more once `mayWrite` says no. */
export function smsBody(text: string, mayWrite: (() => boolean) | undefined): LateBody {
  return { bytes: Buffer.from(text), beforeWrite: mayWrite ?? (() => true) };
}

/** The HTTP client of an SMS sender. @param ca an authority to trust instead of the usual ones */
export function smsClient(
  { allowPrivateEndpoints, proxy, deadlineMs }: SmsSenderOptions,
  ca: string | undefined,
): HttpClient {
  return new HttpClient({
    allowPrivateEndpoints,
    proxy,
    deadlineMs: deadlineMs ?? DEADLINE_MS,
    connections: SMS_CONNECTIONS,
    isForOneRequest: true,
    ...(ca === undefined ? {} : { ca }),
  });
}

/**
 * A string, in which nothing is a number; or an integer with so many digits that a double may not hold it. A string that
 * does not end reaches to the end of the text: otherwise each escaped quote in it would be tried as a beginning.
 */
const STRING_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"?|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs;

/**
 * A provider's answer as an object; null when it is none (a proxy's page, half an answer). Integers that a double may
 * not hold are texts in it: they are ids, and later reports name them digit by digit.
 */
export function readJsonObject(text: string): JsonObject | null {
  return parseJsonObject(
    text.replace(STRING_OR_LONG_INTEGER, (found) => (found.startsWith('"') ? found : `"${found}"`)),
  );
}

/** An id as text: providers write them as text or as numbers. Null when it is neither, or empty. */
export function readId(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? storable(value) : '';
  return text !== '' && text.length <= 255 ? text : null;
}

/** PostgreSQL's text cannot contain NUL; a provider's text may. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}

/** The meaning of a provider's code. */
export type SmsErrorClass = Exclude<SmsOutcome['kind'], 'accepted'>;

/** An outcome other than that the SMS was taken. */
export type SmsRefusal = Exclude<SmsOutcome, { kind: 'accepted' }>;

const LONGEST_REASON = 300;

/** The outcome of a refusal. `throttled` is the account's, never one phone's. */
export function refusalOf(
  kind: SmsErrorClass,
  code: string,
  said: string,
  retryAfterMs: number | null = null,
): SmsRefusal {
  const reason = storableText(said, LONGEST_REASON);
  if (kind === 'throttled') return { kind, code, reason, scope: 'route', retryAfterMs };
  if (kind === 'retryable') return { kind, code, reason, retryAfterMs };
  return { kind, code, reason };
}

/**
 * Returns the class by HTTP status, if a provider's own code says nothing. A 503 comes before the SMS is accepted;
 * after any other 5xx the SMS may well have been sent.
 */
export function classOfSmsStatus(status: number): SmsErrorClass {
  const known = STATUSES[status];
  if (known !== undefined) return known;
  if (status >= 500 || status < 300) return 'ambiguous';
  return status < 400 ? 'config' : 'request_invalid';
}

const STATUSES: Readonly<Record<number, SmsErrorClass>> = {
  401: 'config',
  403: 'config',
  404: 'config',
  405: 'config',
  408: 'ambiguous',
  429: 'throttled',
  503: 'retryable',
};
