import { isJsonObject, type JsonObject, type JsonValue, normaliseName } from '@postrider/domain';
import { fieldOf, Optional, Rule, SaysOfClass } from '../validation/field';
import { IsJson, IsName, IsOneOf } from '../validation/fields';
import { IsNested } from '../validation/nested';
import type { ListReading, Reading } from '../validation/reading';
import { readRequest } from '../validation/read-request';
import { readTime } from '../validation/values';
import { ATTRIBUTE_VALUE, type AttributeValue, IsAttributeMap, readAttributeValue } from './attribute-value';
import { IsUserHash } from '../validation/user-identity';

const TYPES = ['date', 'array'] as const;
const OPERATIONS = ['unset', 'addToArray', 'removeFromArray'] as const;

/** What `__meta.keys` says about one attribute: an operation, or that the number in `data` is a date. */
export class AttributeMetaRequest {
  @Optional() @IsOneOf(TYPES) type?: (typeof TYPES)[number];
  @Optional() @IsOneOf(OPERATIONS) operation?: (typeof OPERATIONS)[number];

  @Optional()
  @IsJson('what is added to the array, or removed from it: one entry or several')
  @Rule<AttributeMetaRequest>(({ operation, value }) =>
    operation === 'addToArray' || operation === 'removeFromArray' ? problemOfEntries(value) : null,
  )
  value?: JsonValue;
}

/** How `data` is to be understood. */
export class UserInfoMetaRequest {
  @Optional() @IsAttributeMetas() keys?: Record<string, AttributeMetaRequest>;
}

/** The body of `PUT installations/userInfo`. */
@SaysOfClass({
  examples: [
    {
      installationId: '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d',
      data: { plan: 'gold', born: 1_700_000_000_000 },
      __meta: { keys: { born: { type: 'date' }, interests: { operation: 'addToArray', value: 'chess' } } },
    },
  ],
})
export class UserInfoRequest {
  @IsName() installationId!: string;
  @Optional() @IsUserHash() userHash?: string;
  @Optional() @IsAttributeMap(readerOfDescribed) data?: Record<string, AttributeValue>;
  @Optional() @IsNested(() => UserInfoMetaRequest) __meta?: UserInfoMetaRequest;
}

/** One change of a user's attributes. */
export type AttributeChange =
  | { name: string; operation: 'set'; value: AttributeValue }
  | { name: string; operation: 'unset' }
  | { name: string; operation: 'addToArray' | 'removeFromArray'; values: (string | number | boolean)[] };

/** The changes of the request, in order. Attributes without a description come first. */
export function attributeChangesOf({ data = {}, __meta: meta }: UserInfoRequest): AttributeChange[] {
  const described = new Map(Object.entries(meta?.keys ?? {}));
  const set = Object.entries(data).filter(([name]) => !described.has(name));
  return [
    ...set.map(([name, value]): AttributeChange => ({ name, operation: 'set', value })),
    ...[...described].flatMap(([name, description]) => changesOf(name, description, data)),
  ];
}

function changesOf(
  name: string,
  { operation, value: sent }: AttributeMetaRequest,
  data: Record<string, AttributeValue>,
): AttributeChange[] {
  if (operation === 'unset') return [{ name, operation }];
  if (operation !== undefined) return [{ name, operation, values: entriesOf(sent) }];
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  return value === undefined ? [] : [{ name, operation: 'set', value }];
}

function entriesOf(sent: JsonValue | undefined): (string | number | boolean)[] {
  const reading = readAttributeValue(sent);
  if (!('value' in reading) || reading.value === null) return [];
  return Array.isArray(reading.value) ? reading.value : [reading.value];
}

function problemOfEntries(value: JsonValue | undefined): string | null {
  if (value === undefined) return 'is required';
  const reading = readAttributeValue(value);
  return 'problem' in reading ? reading.problem : null;
}

/**
 * Reads values of `data`. A value that `__meta` calls a date becomes the ISO 8601 text that segment rules compare as a
 * moment.
 */
function readerOfDescribed({ __meta: meta }: JsonObject): (value: unknown, name: string) => Reading<AttributeValue> {
  const keys = isJsonObject(meta) && isJsonObject(meta.keys) ? Object.entries(meta.keys) : [];
  const isDate = (described: JsonValue): boolean =>
    isJsonObject(described) && described.type === 'date' && (described.operation ?? null) === null;
  const dates = new Set(keys.flatMap(([key, described]) => (isDate(described) ? [normaliseName(key)] : [])));
  return (value, name) => {
    if (value === null || !dates.has(name)) return readAttributeValue(value);
    const time = readTime(value);
    return 'value' in time ? { value: time.value.toISOString() } : time;
  };
}

/** Descriptions of attributes by name. Names are stored in NFC. */
function IsAttributeMetas(): PropertyDecorator {
  return fieldOf({
    name: 'isAttributeMetas',
    read: readMetas,
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: [...TYPES] },
          operation: { type: 'string', enum: [...OPERATIONS] },
          value: ATTRIBUTE_VALUE,
        },
      } as object,
    },
  });
}

function readMetas(value: unknown): ListReading<Record<string, AttributeMetaRequest>> {
  if (!isJsonObject(value)) return { problem: 'must be an object' };
  const problems: { path: string; message: string }[] = [];
  const metas = Object.entries(value).flatMap(([key, sent]): [string, AttributeMetaRequest][] => {
    const name = normaliseName(key);
    if (name === null) problems.push({ path: `.${key}`, message: 'must have a name of 1 to 255 characters' });
    if (sent === null) return [];
    const meta = readRequest(AttributeMetaRequest, sent, `.${key}`);
    problems.push(...meta.problems);
    return [[name ?? key, meta.request]];
  });
  return problems.length > 0 ? { problems } : { value: Object.fromEntries(metas) };
}
