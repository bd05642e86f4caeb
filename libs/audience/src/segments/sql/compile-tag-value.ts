import type { SqlParameters } from '../../sql/sql-parameters';
import type { Rule } from '../language/rule';
import { type Operand, operandsOf, type Sign, signOf, valuesOf } from './comparison';
import { comparesToMoment, equalsMoment } from './moment-sql';

/** Text that counts as a number. As many characters always fit a double, so that the cast cannot fail. */
const isDecimal = (text: string): string => `(length(${text}) <= 300 AND ${text} ~ '^-?[0-9]+(?:[.][0-9]+)?$')`;

/**
 * Compiles `tags.<key>`, the value of a key/value tag, put positively: never NULL, false for a tag that the user does not
 * carry or that has no value. Its text counts as a number under a number (decisions, Types). The key is among `tags`, too,
 * whose index finds the few devices.
 */
export function compileTagValue(rule: Rule, tag: string, now: Date, parameters: SqlParameters): string {
  const operands = operandsOf(rule, now).filter(({ type }) => type !== 'boolean');
  // A tag's value is text and never a boolean. A parameter that is added must be used, so none is added here.
  if (operands.length === 0) return 'false';
  const text = `(i.tag_values ->> ${parameters.add(tag)}::text)`;
  const sign = signOf(rule);
  const test = sign === '=' ? equalsAny(text, operands, parameters) : compares(text, sign, operands[0], parameters);
  return `(i.tags @> ${parameters.add([tag])}::text[] AND ${test})`;
}

function equalsAny(text: string, operands: Operand[], parameters: SqlParameters): string {
  const [texts, numbers, moments] = [
    valuesOf(operands, 'text'),
    valuesOf(operands, 'number'),
    valuesOf(operands, 'moment'),
  ];
  const terms: string[] = [];
  if (texts.length > 0) terms.push(`coalesce(${text} = ANY (${parameters.add(texts)}::text[]), false)`);
  if (numbers.length > 0) {
    terms.push(
      `CASE WHEN ${isDecimal(text)} THEN ${text}::float8 = ANY (${parameters.add(numbers)}::float8[]) ELSE false END`,
    );
  }
  if (moments.length > 0) terms.push(equalsMoment(text, moments, parameters));
  return `(${terms.join(' OR ')})`;
}

function compares(text: string, sign: Sign, operand: Operand | undefined, parameters: SqlParameters): string {
  switch (operand?.type) {
    case 'moment':
      return comparesToMoment(text, sign, operand.value, parameters);
    case 'number':
      return `CASE WHEN ${isDecimal(text)} THEN ${text}::float8 ${sign} ${parameters.add(operand.value)}::float8 ELSE false END`;
    case 'text':
      return `coalesce(${text} COLLATE "C" ${sign} ${parameters.add(operand.value)}::text, false)`;
    default:
      return 'false';
  }
}
