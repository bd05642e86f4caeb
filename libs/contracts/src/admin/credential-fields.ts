import { isJsonObject, type JsonObject, withoutTrailing } from '@postrider/domain';
import { fieldOf } from '../validation/field';
import type { ListReading, Reading } from '../validation/reading';

/** The description of `ca`, in credentials that have one. */
export const CERTIFICATE = 'PEM of the only trusted certificate authority, for your own endpoint';

const LONGEST = 20_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,4000}$/;
/** Headers that the connection to a provider sets itself. */
const OUR_HEADERS = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect']);

/** Text of a vendor's credentials: not empty, and in the vendor's format. */
export function IsCredential(form?: RegExp, says = 'must be a text', description?: string): PropertyDecorator {
  return fieldOf({
    name: 'isCredential',
    read: (value) => readCredential(value, form, says),
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: LONGEST,
      ...(form === undefined ? {} : { pattern: form.source }),
      ...(description === undefined ? {} : { description }),
    },
  });
}

/** PEM. Line breaks that were escaped (`\n` as two characters), as in environment files, are restored. */
export function IsPem(description: string): PropertyDecorator {
  return fieldOf<string>({
    name: 'isPem',
    read: (value) => {
      const reading = readCredential(value, /\S/, 'is required');
      return 'value' in reading ? { value: reading.value.replaceAll('\\n', '\n').trim() } : reading;
    },
    schema: { type: 'string', minLength: 1, maxLength: LONGEST, description },
  });
}

/**
 * The base address of a vendor's API, read without slashes at its end. The deployment decides which addresses are
 * allowed.
 */
export function IsBaseAddress(more: { default?: string; description?: string }): PropertyDecorator {
  return fieldOf<string>({
    name: 'isBaseAddress',
    read: (value) => {
      const reading = readAddress(value);
      if (!('value' in reading)) return reading;
      if (/[?#]/.test(reading.value)) return { problem: 'must be a base address, without a query and without a #' };
      return { value: withoutTrailing(reading.value, '/') };
    },
    schema: { type: 'string', format: 'uri', ...more },
  });
}

/** The address that gives out access tokens. It may have a query. */
export function IsTokenAddress(more: { default: string }): PropertyDecorator {
  return fieldOf<string>({
    name: 'isTokenAddress',
    read: (value) => {
      const reading = readAddress(value);
      return 'value' in reading ? { value: withoutTrailing(reading.value, '/') } : reading;
    },
    schema: { type: 'string', format: 'uri', ...more },
  });
}

/**
 * An address that is called as it is: a slash at its end belongs to it. The deployment decides which addresses are
 * allowed.
 */
export function IsWholeAddress(description: string): PropertyDecorator {
  return fieldOf<string>({
    name: 'isWholeAddress',
    read: readAddress,
    schema: { type: 'string', format: 'uri', description },
  });
}

/** Headers by name. */
export function IsHeaders(): PropertyDecorator {
  return fieldOf({
    name: 'isHeaders',
    read: readHeaders,
    schema: { type: 'object', additionalProperties: { type: 'string', maxLength: 4_000 } },
  });
}

/** An HTTP status, or a list of them; read as a list. */
export function IsStatuses(description: string): PropertyDecorator {
  const status = { type: 'integer', minimum: 100, maximum: 599 };
  return fieldOf<number[]>({
    name: 'isStatuses',
    read: (value) => {
      const statuses: unknown[] = Array.isArray(value) ? value : [value];
      return statuses.every(isStatus)
        ? { value: statuses as number[] }
        : { problem: 'must be an HTTP status or a list of them' };
    },
    schema: { oneOf: [status, { type: 'array', items: status }], description },
  });
}

function readCredential(value: unknown, form?: RegExp, says = ''): Reading<string> {
  if (value === '') return { problem: 'is required' };
  if (typeof value !== 'string' || value.length > LONGEST) return { problem: 'must be a text' };
  return form === undefined || form.test(value) ? { value } : { problem: says };
}

function readAddress(value: unknown): Reading<string> {
  const reading = readCredential(value);
  if (!('value' in reading)) return reading;
  const problem = problemOfAddress(reading.value);
  return problem === null ? reading : { problem };
}

function problemOfAddress(text: string): string | null {
  if (!URL.canParse(text)) return 'must be an https address';
  const { protocol, username, password, hash } = new URL(text);
  if (!/^https?:$/.test(protocol)) return 'must be an https address';
  return username + password + hash === '' ? null : 'must have no user name, password or fragment';
}

function readHeaders(value: unknown): ListReading<JsonObject> {
  if (!isJsonObject(value)) return { problem: 'must be an object' };
  const problems = Object.entries(value).flatMap(([name, text]) => {
    const message = problemOfHeader(name, text);
    return message === null ? [] : [{ path: `.${name}`, message }];
  });
  return problems.length > 0 ? { problems } : { value };
}

function problemOfHeader(name: string, text: unknown): string | null {
  const isGood = HEADER_NAME.test(name) && typeof text === 'string' && HEADER_VALUE.test(text);
  if (!isGood) return 'must be a header in printable characters';
  return OUR_HEADERS.has(name.toLowerCase()) ? 'cannot be sent: the connection sets it' : null;
}

function isStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599;
}
