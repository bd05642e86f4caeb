import {
  type Channel,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_CHANNEL_NAME_LENGTH,
  parseChannel,
} from '@postrider/domain';
import { fieldOf } from './field';
import type { Reading } from './reading';
import {
  readBoolean,
  readFilledText,
  readInteger,
  readLink,
  readList,
  readName,
  readNumber,
  readText,
  readTextLike,
  readTextUpTo,
  readTime,
} from './values';

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}

/** Text of 1 to 255 characters, stored in Unicode NFC: a user id, a tag, a track id. */
export function IsName(description?: string): PropertyDecorator {
  return fieldOf({
    name: 'isName',
    read: readName,
    schema: { type: 'string', minLength: 1, maxLength: 255, ...described(description) },
  });
}

/** A part of the names that a list is searched for. Empty text is absent. */
export function IsNamePart(): PropertyDecorator {
  return IsText(255, 'only those with this text in their name; upper and lower case are the same');
}

/** Text of at most `max` characters, stored in Unicode NFC. Empty text is absent. */
export function IsText(max: number, description?: string): PropertyDecorator {
  return fieldOf({
    name: 'isText',
    read: (value) => readTextUpTo(value, max),
    schema: { type: 'string', maxLength: max, ...described(description) },
  });
}

/** Text, possibly empty, of any length that fits into a request. */
export function IsAnyText(description?: string): PropertyDecorator {
  return fieldOf({ name: 'isAnyText', read: readText, schema: { type: 'string', ...described(description) } });
}

/** Text that is not empty. */
export function IsFilledText(description?: string): PropertyDecorator {
  return fieldOf({
    name: 'isFilledText',
    read: readFilledText,
    schema: { type: 'string', minLength: 1, ...described(description) },
  });
}

/** `true` or `false`; also 1 and 0, or any of these as text. */
export function IsFlag(description?: string, more: { default?: boolean } = {}): PropertyDecorator {
  return fieldOf({
    name: 'isFlag',
    read: readBoolean,
    schema: {
      ...more,
      oneOf: [
        { type: 'boolean' },
        { type: 'integer', enum: [0, 1] },
        { type: 'string', enum: ['true', 'false', '1', '0'] },
      ],
      description: [description, '1, 0, "true", "false", "1" and "0" are accepted too'].filter(Boolean).join('; '),
    },
  });
}

/** A whole number, or its decimal digits as text. */
export function IsWholeNumber(
  min: number,
  max: number,
  more: { default?: number; description?: string } = {},
): PropertyDecorator {
  return fieldOf({
    name: 'isWholeNumber',
    read: (value) => readInteger(value, min, max),
    schema: { type: 'integer', minimum: min, maximum: max, ...more },
  });
}

/** A number, or a plain decimal as text. */
export function IsNumberFrom(min: number, max: number, description?: string): PropertyDecorator {
  return fieldOf({
    name: 'isNumberFrom',
    read: (value) => readNumber(value, min, max),
    schema: { type: 'number', minimum: min, maximum: max, ...described(description) },
  });
}

/** Any number that a double can hold, or a plain decimal as text. */
export function IsAnyNumber(description?: string): PropertyDecorator {
  return fieldOf({
    name: 'isAnyNumber',
    read: (value) => readNumber(value, -Number.MAX_VALUE, Number.MAX_VALUE),
    schema: { type: 'number', ...described(description) },
  });
}

/** A moment, read as a `Date`: milliseconds since 1970 (also in digits) or ISO 8601 text. */
export function IsTime(description?: string): PropertyDecorator {
  return fieldOf({
    name: 'isTime',
    read: readTime,
    schema: {
      oneOf: [{ type: 'string', format: 'date-time' }, { type: 'number' }],
      description: [description, 'ISO 8601, or milliseconds since 1970'].filter(Boolean).join('; '),
    },
  });
}

/** One of a few words. */
export function IsOneOf(
  words: readonly string[],
  more: { default?: string; description?: string } = {},
): PropertyDecorator {
  const named = words.filter((word) => word !== '');
  const allowed = `${named.length === 1 ? '' : 'one of '}${named.join(', ')}${words.includes('') ? ', or empty' : ''}`;
  return fieldOf({
    name: 'isOneOf',
    read: (value): Reading<string> =>
      typeof value === 'string' && words.includes(value) ? { value } : { problem: `must be ${allowed}` },
    schema: { type: 'string', enum: [...words], ...more },
  });
}

const FORMATS = ['json', 'csv'] as const;

/** The formats of an answer. */
export type AnswerFormat = (typeof FORMATS)[number];

/** The format of the answer, whatever the header `Accept` says. */
export function IsAnswerFormat(): PropertyDecorator {
  return IsOneOf(FORMATS, { description: 'replaces the header `Accept`' });
}

/** A channel, with or without `public/` or `private/`; read with the prefix. */
export function IsChannel(more: { default?: string } = {}): PropertyDecorator {
  return fieldOf({
    name: 'isChannel',
    read: (value): Reading<Channel> => {
      const channel = typeof value === 'string' ? parseChannel(value) : null;
      if (channel !== null) return { value: channel };
      return {
        problem: `must be a channel: 1 to ${MAX_CHANNEL_NAME_LENGTH} letters, digits, _ - . with or without public/ or private/ before them`,
      };
    },
    schema: { type: 'string', description: 'sport or public/sport; /private/alerts', ...more },
  });
}

/** A link of any scheme except those that run or read something on the device. */
export function IsLink(): PropertyDecorator {
  const description = 'any scheme but javascript:, data:, vbscript:, file:';
  return fieldOf({ name: 'isLink', read: readLink, schema: { type: 'string', description } });
}

/** Any JSON, kept unchanged. Only null means absent. */
export function IsJson(description = 'any JSON'): PropertyDecorator {
  return fieldOf<JsonValue>({
    name: 'isJson',
    read: (value) => ({ value: value as JsonValue }),
    schema: {
      description,
      anyOf: [
        { type: 'object', additionalProperties: true },
        { type: 'array', items: {} },
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
      ],
    },
  });
}

/** A JSON object of the caller, kept unchanged. */
export function IsJsonObject(description?: string): PropertyDecorator {
  return fieldOf<JsonObject>({
    name: 'isJsonObject',
    read: (value) => (isJsonObject(value) ? { value } : { problem: 'must be an object' }),
    schema: { type: 'object', additionalProperties: true, ...described(description) },
  });
}

/** Text of a given form, which `says` describes for callers. */
export function IsTextLike(
  form: RegExp,
  says: string,
  more: { maxLength?: number; description?: string } = {},
): PropertyDecorator {
  return fieldOf({
    name: 'isTextLike',
    read: (value) => readTextLike(value, form, says, more.maxLength),
    schema: { type: 'string', pattern: form.source, ...more },
  });
}

/**
 * The type of a field that must be absent. An alias, because `never` itself has no type at run time, which Swagger
 * needs.
 */
export type Refused = never;

/** A field that must be absent. `problem` says why. */
export function IsRefused(problem: string): PropertyDecorator {
  return fieldOf({
    name: 'isRefused',
    read: () => ({ problem }),
    schema: { not: {}, description: problem },
    isOptional: true,
  });
}

/**
 * A list of `min` to `max` values, each read by `read`. `isSet`: repetitions are dropped. Without `max` the reader of
 * the request limits it.
 */
export function IsListOf<T>(
  read: (value: unknown) => Reading<T>,
  { items, min = 0, max, isSet = false }: { items: object; min?: number; max?: number; isSet?: boolean },
): PropertyDecorator {
  return fieldOf<T[]>({
    name: 'isListOf',
    read: (value) => readList(value, read, { min, max, isSet }),
    schema: {
      type: 'array',
      items,
      ...(max === undefined ? {} : { maxItems: max }),
      ...(min > 0 ? { minItems: min } : {}),
    },
  });
}

/** A list of names, without repetitions. */
export function IsNameList({ min = 0, max }: { min?: number; max: number }): PropertyDecorator {
  return IsListOf(readName, { items: { type: 'string', minLength: 1, maxLength: 255 }, min, max, isSet: true });
}
