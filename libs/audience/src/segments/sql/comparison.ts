import { isoMoment } from '@postrider/domain';
import { sql, type Sql } from '@postrider/persistence';
import { momentOrAge } from '../language/read-scalar';
import { type Operator, TIME_OPERATORS, type Rule, type Scalar } from '../language/rule';

/** A value with the type in which it is compared. Moments are microseconds since 1970. */
export type Operand =
  | { type: 'boolean'; value: boolean }
  | { type: 'moment'; value: bigint }
  | { type: 'number'; value: number }
  | { type: 'text'; value: string };

/** How a field and a value are compared. `=` is true if the field equals any of the values. */
export type Sign = '<' | '<=' | '=' | '>' | '>=';

const SIGNS: Record<Operator, Sign> = {
  equal_to: '=',
  not_equal: '=',
  include: '=',
  not_include: '=',
  lesser_than: '<',
  lesser_equals: '<=',
  greater_than: '>',
  greater_equals: '>=',
  before: '<',
  after: '>',
};

const SIGN_SQL: Record<Sign, Sql> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '=': sql`=`,
  '>': sql`>`,
  '>=': sql`>=`,
};

/** SQL of a sign. */
export function signSql(sign: Sign): Sql {
  return SIGN_SQL[sign];
}

/** The comparison of a rule in its positive form. */
export function signOf(rule: Rule): Sign {
  return SIGNS[rule.operator];
}

/** True if a rule is the negation of its positive form. */
export function isNegated(operator: Operator): boolean {
  return operator === 'not_equal' || operator === 'not_include';
}

/** The typed values of a rule on a field that takes every type. */
export function operandsOf(rule: Rule, now: Date): Operand[] {
  return rule.values.map((value) => operandOf(value, rule.operator, now));
}

function operandOf(value: Scalar, operator: Operator, now: Date): Operand {
  if (typeof value === 'number') return { type: 'number', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  const moment = TIME_OPERATORS.includes(operator) ? momentOrAge(value, now) : isoMoment(value);
  return moment === null ? { type: 'text', value } : { type: 'moment', value: moment };
}

interface ValueOf {
  boolean: boolean;
  moment: bigint;
  number: number;
  text: string;
}

/** The values of one type. */
export function valuesOf<T extends Operand['type']>(operands: Operand[], type: T): ValueOf[T][] {
  return operands.filter((operand) => operand.type === type).map((operand) => operand.value as ValueOf[T]);
}
