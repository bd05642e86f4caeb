import { isJsonObject, type JsonObject, normaliseName, normaliseText } from '@postrider/domain';
import { fieldOf } from '../validation/field';
import type { ListReading, Reading } from '../validation/reading';

/** The value of an attribute: a number, text, a boolean, a list of these; null removes it. */
export type AttributeValue = string | number | boolean | (string | number | boolean)[] | null;

/** Reads the value of the attribute of that name. */
type ReadValue = (value: unknown, name: string) => Reading<AttributeValue>;

/** How many attributes one request may name. */
export const MOST_ATTRIBUTES = 200;
const LONGEST_TEXT = 4_096;
const LONGEST_LIST = 1_000;
const PROBLEM = 'must be a number, text, a boolean, an array of these, or null to remove it';
const TOO_LONG = `must hold text of at most ${LONGEST_TEXT} characters`;
const SCALARS = [{ type: 'string', maxLength: LONGEST_TEXT }, { type: 'number' }, { type: 'boolean' }];
/** JSON schema of an attribute's value, for the API document. */
export const ATTRIBUTE_VALUE = {
  anyOf: [...SCALARS, { type: 'array', maxItems: LONGEST_LIST, items: { anyOf: SCALARS } }],
};

/**
 * An object of attributes by name. Names are stored in NFC; a dot in a name is part of it.
 *
 * @param readerOf returns the reader of a value, given everything that was sent in the request
 */
export function IsAttributeMap(
  readerOf: (sent: JsonObject) => ReadValue = () => readAttributeValue,
): PropertyDecorator {
  return fieldOf<Record<string, AttributeValue>>({
    name: 'isAttributeMap',
    read: (value, sent) => readMap(value, readerOf(sent)),
    schema: {
      type: 'object',
      description: 'by name; null removes an attribute',
      maxProperties: MOST_ATTRIBUTES,
      additionalProperties: { anyOf: [...ATTRIBUTE_VALUE.anyOf, { type: 'null' }] } as object,
    },
  });
}

function readMap(value: unknown, read: ReadValue): ListReading<Record<string, AttributeValue>> {
  if (!isJsonObject(value)) return { problem: 'must be an object' };
  const problems: { path: string; message: string }[] = [];
  const members = Object.entries(value);
  if (members.length > MOST_ATTRIBUTES) {
    problems.push({ path: '', message: `must not name more than ${MOST_ATTRIBUTES} attributes` });
  }
  const attributes = members.map(([key, member]): [string, AttributeValue] => {
    const name = normaliseName(key);
    const reading = name === null ? { problem: 'must have a name of 1 to 255 characters' } : read(member, name);
    if ('value' in reading) return [name ?? key, reading.value];
    problems.push({ path: `.${key}`, message: reading.problem });
    return [key, null];
  });
  return problems.length > 0 ? { problems } : { value: Object.fromEntries(attributes) };
}

/** Reads the value of an attribute. Text is stored in Unicode NFC, in which segment rules compare it. */
export function readAttributeValue(value: unknown): Reading<AttributeValue> {
  if (value === null) return { value };
  if (isScalar(value)) return isTooLong(value) ? { problem: TOO_LONG } : { value: normalised(value) };
  if (!Array.isArray(value) || !value.every(isScalar)) return { problem: PROBLEM };
  if (value.length > LONGEST_LIST) return { problem: `must have at most ${LONGEST_LIST} entries` };
  return value.some(isTooLong) ? { problem: TOO_LONG } : { value: value.map(normalised) };
}

/** True if a value is text, a number or a boolean. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isTooLong(value: string | number | boolean): boolean {
  return typeof value === 'string' && value.length > LONGEST_TEXT;
}

function normalised(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? (normaliseText(value) ?? value) : value;
}
