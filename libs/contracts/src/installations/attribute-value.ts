import { type JsonValue, normaliseText } from '@postrider/domain';
import type { Reading } from '../fields/read-values';

/** What an attribute can be: a number, text, a boolean, a list of these; null removes it. */
export type AttributeValue = string | number | boolean | (string | number | boolean)[] | null;

const LONGEST_TEXT = 4_096;
const LONGEST_LIST = 1_000;
const PROBLEM = 'must be a number, text, a boolean, an array of these, or null to remove it';

/** Reads the value of an attribute. Text is kept in Unicode NFC, as segment rules are compared. */
export function readAttributeValue(value: unknown): Reading<AttributeValue> {
  if (value === null) return { value };
  if (isScalar(value)) return { value: normalised(value) };
  if (Array.isArray(value) && value.length <= LONGEST_LIST && value.every(isScalar))
    return { value: value.map(normalised) };
  return { problem: PROBLEM };
}

/** A date as it is kept: ISO 8601 text, which segment rules compare as a moment. */
export function dateText(at: Date): JsonValue {
  return at.toISOString();
}

function isScalar(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT;
  return typeof value === 'number' || typeof value === 'boolean';
}

function normalised(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? (normaliseText(value) ?? value) : value;
}
