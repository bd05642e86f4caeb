import type { SqlParameters } from '../../sql/sql-parameters';
import type { Rule } from '../language/rule';
import { type Operand, operandsOf, type Sign, signOf, valuesOf } from './comparison';
import { comparesToMoment, equalsMoment, readComparesToMoment } from './moment-sql';
import { numberOfText, type TagValue } from './tag-value';
import { timestampText } from './timestamp-text';

/**
 * Compiles `tags.<key>`, the value of a key/value tag, put positively: never NULL, false for a tag that the user does not
 * carry or that has no value. Its text counts as a number under a number (decisions, Types). The key is among `tags`, too,
 * whose index finds the few devices.
 */
export function compileTagValue(
  rule: Rule,
  tag: string,
  value: () => TagValue,
  { now, parameters }: { now: Date; parameters: SqlParameters },
): string {
  const operands = operandsOf(rule, now).filter(({ type }) => type !== 'boolean');
  // A tag's value is text and never a boolean. A parameter that is added must be used, so none is added here.
  if (operands.length === 0) return 'false';
  const sign = signOf(rule);
  const test =
    sign === '=' ? equalsAny(value(), operands, parameters) : compares(value(), sign, operands[0], parameters);
  return `(i.tags @> ${parameters.add([tag])}::text[] AND ${test})`;
}

function equalsAny({ text, read }: TagValue, operands: Operand[], parameters: SqlParameters): string {
  const [texts, numbers, moments] = [
    valuesOf(operands, 'text'),
    valuesOf(operands, 'number'),
    valuesOf(operands, 'moment'),
  ];
  const terms: string[] = [];
  if (texts.length > 0) terms.push(`coalesce(${text} = ANY (${parameters.add(texts)}::text[]), false)`);
  if (numbers.length > 0) {
    const number = read?.number() ?? numberOfText(text);
    terms.push(`coalesce((${number}) = ANY (${parameters.add(numbers)}::float8[]), false)`);
  }
  if (moments.length > 0) terms.push(equalsMoments({ text, read }, moments, parameters));
  return `(${terms.join(' OR ')})`;
}

function equalsMoments({ text, read }: TagValue, moments: bigint[], parameters: SqlParameters): string {
  if (!read) return equalsMoment(text, moments, parameters);
  return `coalesce(${read.moment()} = ANY (${parameters.add(moments.map(timestampText))}::timestamptz[]), false)`;
}

function compares(
  { text, read }: TagValue,
  sign: Sign,
  operand: Operand | undefined,
  parameters: SqlParameters,
): string {
  switch (operand?.type) {
    case 'moment':
      return read
        ? readComparesToMoment(read.moment(), sign, operand.value, parameters)
        : comparesToMoment(text, sign, operand.value, parameters);
    case 'number':
      return `coalesce((${read?.number() ?? numberOfText(text)}) ${sign} ${parameters.add(operand.value)}::float8, false)`;
    case 'text':
      return `coalesce(${text} COLLATE "C" ${sign} ${parameters.add(operand.value)}::text, false)`;
    default:
      return 'false';
  }
}
