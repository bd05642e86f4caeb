import { isJsonObject } from '@postrider/domain';
import type { Shape } from './shape';

/** A place where a value is not of its shape. */
export interface Violation {
  kind: 'unknown' | 'missing' | 'invalid';
  /** The place: the field itself, or the object in which it is missing or unknown. */
  field: string;
  /** The unknown or missing field's name. */
  name?: string;
  /** The expected value. */
  expected?: string;
}

/** Finds every place where `value` is not of `shape`; none means it fits. */
export function violationsOf(shape: Shape, value: unknown, field: string): Violation[] {
  const found: Violation[] = [];
  inspect(shape, value, field, found);
  return found;
}

function inspect(shape: Shape, value: unknown, field: string, found: Violation[]): void {
  switch (shape.kind) {
    case 'object':
      inspectObject(shape, value, field, found);
      return;
    case 'map':
      if (!isJsonObject(value)) found.push({ kind: 'invalid', field, expected: 'an object' });
      else for (const key in value) inspect(shape.of, value[key], `${field}.${key}`, found);
      return;
    case 'list':
      if (!Array.isArray(value)) found.push({ kind: 'invalid', field, expected: 'a list' });
      else if (value.length > shape.most) found.push({ kind: 'invalid', field, expected: `${shape.most} at most` });
      else value.forEach((item, index) => inspect(shape.of, item, `${field}[${index}]`, found));
      return;
    default: {
      const expected = expectation(shape, value);
      if (expected !== undefined) found.push({ kind: 'invalid', field, expected });
    }
  }
}

function inspectObject(
  shape: Extract<Shape, { kind: 'object' }>,
  value: unknown,
  field: string,
  found: Violation[],
): void {
  if (!isJsonObject(value)) {
    found.push({ kind: 'invalid', field, expected: 'an object' });
    return;
  }
  for (const name in value) {
    const known = shape.fields.get(name);
    if (known === undefined) found.push({ kind: 'unknown', field, name });
    else inspect(known, value[name], field === '' ? name : `${field}.${name}`, found);
  }
  for (const name of shape.required) if (value[name] === undefined) found.push({ kind: 'missing', field, name });
}

/** Returns what a plain value should have been. */
function expectation(shape: Exclude<Shape, { kind: 'object' | 'map' | 'list' }>, value: unknown): string | undefined {
  switch (shape.kind) {
    case 'text':
      return textExpectation(shape, value);
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'TYPE_BOOL';
    case 'number':
      return numberExpectation(shape, value);
    case 'word':
      return shape.words.includes(value as string) ? undefined : `one of ${shape.words.join(', ')}`;
    case 'free':
      return isJsonObject(value) ? undefined : 'an object';
  }
}

function textExpectation(shape: Extract<Shape, { kind: 'text' }>, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'TYPE_STRING';
  return shape.pattern?.test(value) === false ? (shape.expected ?? String(shape.pattern)) : undefined;
}

function numberExpectation(shape: Extract<Shape, { kind: 'number' }>, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'a number';
  if (shape.isWhole && !Number.isInteger(value)) return 'a whole number';
  return value >= shape.min && value <= shape.max ? undefined : `a number from ${shape.min} to ${shape.max}`;
}
