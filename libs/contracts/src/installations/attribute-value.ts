import { type JsonValue, normaliseText } from '@postrider/domain';
import type { Reading } from '../validation/values';

/** What an attribute can be: a number, text, a boolean, a list of these; null removes it. */
export type AttributeValue = string | number | boolean | (string | number | boolean)[] | null;

const LONGEST_TEXT = 4_096;
const LONGEST_LIST = 1_000;
const PROBLEM = 'must be a number, text, a boolean, an array of these, or null to remove it';
const TOO_LONG = `must hold text of at most ${LONGEST_TEXT} characters`;

/** Reads the value of an attribute. Text is kept in Unicode NFC, as segment rules are compared. */
export function readAttributeValue(value: unknown): Reading<AttributeValue> {
  if (value === null) return { value };
  if (isScalar(value)) return isTooLong(value) ? { problem: TOO_LONG } : { value: normalised(value) };
  if (!Array.isArray(value) || !value.every(isScalar)) return { problem: PROBLEM };
  if (value.length > LONGEST_LIST) return { problem: `must have at most ${LONGEST_LIST} entries` };
  return value.some(isTooLong) ? { problem: TOO_LONG } : { value: value.map(normalised) };
}

/** A date as it is kept: ISO 8601 text, which segment rules compare as a moment. */
export function dateText(at: Date): JsonValue {
  return at.toISOString();
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isTooLong(value: string | number | boolean): boolean {
  return typeof value === 'string' && value.length > LONGEST_TEXT;
}

function normalised(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? (normaliseText(value) ?? value) : value;
}
