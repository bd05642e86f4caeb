import { isJsonObject, type JsonObject, type JsonValue, MAX_RULE_VALUES, SEGMENT_OPERATORS } from '@postrider/domain';
import {
  fieldOf,
  OPERATORS_OF,
  type Field,
  ARRAY_OPERATORS,
  isOperator,
  type Operator,
  type PlaceRule,
  type Rule,
  type Scalar,
  type Place,
} from './rule';
import { type RuleProblems, readName } from './rule-problems';
import { readScalar, readDecimal } from './read-scalar';

const SHAPE = 'must be { "lat", "lng", "radius" } or [lat, lng, radius], the radius in metres';

/** Reads the value of `nearBy`. Null if it is bad, which is then added to `problems`. */
function readPlace(value: unknown, path: string, problems: RuleProblems): Place | null {
  let parts: { value: unknown; path: string }[];
  if (Array.isArray(value)) {
    if (value.length !== 3) return problems.add(path, SHAPE);
    parts = (value as unknown[]).map((part, index) => ({ value: part, path: `${path}[${index}]` }));
  } else if (isJsonObject(value)) {
    refuseUnknownKeys(value, path, problems);
    parts = ['lat', 'lng', 'radius'].map((key) => ({ value: value[key], path: `${path}.${key}` }));
  } else {
    return problems.add(path, SHAPE);
  }
  const lat = readBetween(-90, 90, parts[0], problems);
  const lng = readBetween(-180, 180, parts[1], problems);
  const radiusMetres = readBetween(0, Number.MAX_VALUE, parts[2], problems);
  if (lat === null || lng === null || radiusMetres === null) return null;
  return { lat, lng, radiusMetres };
}

function refuseUnknownKeys(value: Record<string, JsonValue>, path: string, problems: RuleProblems): void {
  for (const key of Object.keys(value)) {
    if (!['lat', 'lng', 'radius'].includes(key))
      problems.add(`${path}.${key}`, 'is unknown; allowed are lat, lng, radius');
  }
}

function readBetween(
  lowest: number,
  highest: number,
  part: { value: unknown; path: string } | undefined,
  problems: RuleProblems,
): number | null {
  const number = readDecimal(part?.value);
  if (number !== null && number >= lowest && number <= highest) return number;
  const limits = highest === Number.MAX_VALUE ? `of at least ${lowest}` : `from ${lowest} to ${highest}`;
  return problems.add(part?.path ?? '', `must be a number ${limits}`);
}

/** The keys of a rule. */
export const RULE_KEYS = ['name', 'operator', 'value'] as const;

/** Reads `{ name, operator, value }`. Null if any of it is bad, which is then added to `problems`. */
export function readRule(rule: JsonObject, path: string, problems: RuleProblems): PlaceRule | Rule | null {
  for (const key of Object.keys(rule)) {
    if (!(RULE_KEYS as readonly string[]).includes(key)) {
      problems.add(`${path}.${key}`, `is not known in a rule: ${RULE_KEYS.join(', ')}`);
    }
  }
  const name = readName(rule.name, `${path}.name`, problems);
  const field = name === null ? null : fieldOf(name);
  const operator = readOperator(rule.operator, field, `${path}.operator`, problems);
  if (!Object.hasOwn(rule, 'value')) return problems.add(`${path}.value`, 'is required');
  if (name === null || field === null || operator === null) return null;
  return readCondition(name, operator, rule.value, `${path}.value`, problems);
}

/** Reads the value of a rule whose name and operator are valid. */
export function readCondition(
  name: string,
  operator: Operator,
  value: unknown,
  path: string,
  problems: RuleProblems,
): PlaceRule | Rule | null {
  const field = fieldOf(name);
  if (field.kind === 'place') {
    const place = readPlace(value, path, problems);
    return place && { kind: 'place', operator: operator === 'not_include' ? 'not_include' : 'include', place };
  }
  const values = ARRAY_OPERATORS.includes(operator)
    ? readArray(value, field, operator, path, problems)
    : asArray(readScalar(value, field, operator, path, problems));
  return values && { kind: 'rule', name, operator, values };
}

function readOperator(value: unknown, field: Field | null, path: string, problems: RuleProblems): Operator | null {
  const allowed = field === null ? SEGMENT_OPERATORS : OPERATORS_OF[field.kind];
  if (isOperator(value) && allowed.includes(value)) return value;
  return problems.add(path, `must be one of ${allowed.join(', ')}`);
}

function readArray(
  value: unknown,
  field: Field,
  operator: Operator,
  path: string,
  problems: RuleProblems,
): Scalar[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_RULE_VALUES) {
    return problems.add(path, `must be an array of 1 to ${MAX_RULE_VALUES} values`);
  }
  const values = value.map((element, index) => readScalar(element, field, operator, `${path}[${index}]`, problems));
  return values.every((element) => element !== null) ? values : null;
}

function asArray(value: Scalar | null): Scalar[] | null {
  return value === null ? null : [value];
}
