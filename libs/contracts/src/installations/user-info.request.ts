import { normaliseName } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readTime } from '../validation/values';
import { type AttributeValue, dateText, readAttributeValue } from './attribute-value';
import { readAttributeMap } from './attributes.request';
import { LONGEST_HASH } from './device-token.request';

const OPERATIONS = ['unset', 'addToArray', 'removeFromArray'] as const;

/** One change of a user's attributes. */
export type AttributeChange =
  | { name: string; operation: 'set'; value: AttributeValue }
  | { name: string; operation: 'unset' }
  | { name: string; operation: 'addToArray' | 'removeFromArray'; values: (string | number | boolean)[] };

/** The body of `PUT installations/userInfo`. */
export interface UserInfoRequest {
  installationId: string;
  changes: AttributeChange[];
}

/** @throws InvalidRequest naming every bad field */
export function readUserInfo(body: unknown): UserInfoRequest {
  const fields = new BodyReader(body);
  const installationId = fields.requiredName('installationId');
  fields.text('userHash', LONGEST_HASH);
  const data = readAttributeMap(fields, 'data');
  const meta = new BodyReader(fields.raw('__meta') ?? {}, '__meta', fields.problems);
  const keys = new BodyReader(meta.raw('keys') ?? {}, '__meta.keys', fields.problems);
  const described = new Map(keys.names().map((key) => [normaliseName(key) ?? key, readKey(keys, key, data)]));
  fields.finish();
  const set = Object.entries(data).filter(([name]) => !described.has(name));
  return {
    installationId,
    changes: [
      ...set.map(([name, value]): AttributeChange => ({ name, operation: 'set', value })),
      ...[...described.values()].flat(),
    ],
  };
}

/** What `__meta.keys.<key>` says about an attribute: an operation, or that the number in `data` is a date. */
function readKey(keys: BodyReader, key: string, data: Record<string, AttributeValue>): AttributeChange[] {
  const meta = new BodyReader(keys.raw(key) ?? {}, `__meta.keys.${key}`, keys.problems);
  const name = normaliseName(key) ?? key;
  if (normaliseName(key) === null) keys.reject(key, 'must be named by 1 to 255 characters');
  const operation = meta.oneOf('operation', OPERATIONS);
  const type = meta.oneOf('type', ['date', 'array']);
  if (operation === 'unset') return [{ name, operation }];
  if (operation !== null) return [{ name, operation, values: readValues(meta) }];
  const value = data[name];
  if (value === undefined) return [];
  return [{ name, operation: 'set', value: type === 'date' ? readDate(keys, key, value) : value }];
}

function readValues(meta: BodyReader): (string | number | boolean)[] {
  meta.require('value');
  const value = meta.optional('value', readAttributeValue);
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function readDate(keys: BodyReader, key: string, value: AttributeValue): AttributeValue {
  if (value === null) return null;
  const reading = readTime(value);
  if ('value' in reading) return dateText(reading.value) as AttributeValue;
  keys.problems.add(`data.${key}`, reading.problem);
  return null;
}
