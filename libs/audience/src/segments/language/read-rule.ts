import { type JsonObject, MAX_RULE_VALUES, SEGMENT_OPERATORS } from '@postrider/domain';
import { fieldOf, OPERATORS_OF, type Field } from './field';
import { ARRAY_OPERATORS, isOperator, type Operator } from './operator';
import type { Problems } from './problems';
import { readName } from './read-name';
import { readPlace } from './read-place';
import { readScalar } from './read-scalar';
import type { PlaceRule, Rule, Scalar } from './rule';

/** The keys of a rule. */
export const RULE_KEYS = ['name', 'operator', 'value'] as const;

/** Reads `{ name, operator, value }`. Null when any of it was bad, which is noted then. */
export function readRule(rule: JsonObject, path: string, problems: Problems): PlaceRule | Rule | null {
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

/** Reads the value of a rule whose name and operator are good. */
export function readCondition(
  name: string,
  operator: Operator,
  value: unknown,
  path: string,
  problems: Problems,
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

function readOperator(value: unknown, field: Field | null, path: string, problems: Problems): Operator | null {
  const allowed = field === null ? SEGMENT_OPERATORS : OPERATORS_OF[field.kind];
  if (isOperator(value) && allowed.includes(value)) return value;
  return problems.add(path, `must be one of ${allowed.join(', ')}`);
}

function readArray(
  value: unknown,
  field: Field,
  operator: Operator,
  path: string,
  problems: Problems,
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
