import type { SqlParameters } from '../../sql/sql-parameters';
import type { Rule } from '../language/rule';
import { type Operand, operandsOf, type Sign, signOf, valuesOf } from './comparison';
import type { CustomValue } from './custom-value';
import { comparesToMoment, equalsMoment, knownComparesToMoment, readComparesToMoment } from './moment-sql';
import { timestampText } from './timestamp-text';

/** PostgreSQL hashes the array of `= ANY` when it is longer. */
const MAX_UNHASHED_VALUES = 8;

/**
 * Compiles a custom field's positive question: never NULL, false where the field is absent or of another type.
 *
 * @param value SQL of the field
 */
export function compileCustom(rule: Rule, value: CustomValue, now: Date, parameters: SqlParameters): string {
  const operands = operandsOf(rule, now);
  const sign = signOf(rule);
  return sign === '=' ? equalsAny(value, operands, parameters) : compares(value, sign, operands[0], parameters);
}

function equalsAny(value: CustomValue, operands: Operand[], parameters: SqlParameters): string {
  const plain = operands.filter((operand) => operand.type !== 'moment');
  const moments = valuesOf(operands, 'moment');
  const terms: string[] = [];
  if (plain.length > 0) terms.push(containsAny(value, plain, parameters));
  if (moments.length > 0) terms.push(holdsMoment(value, moments, parameters));
  return `(${terms.join(' OR ')})`;
}

/** Containment in jsonb says at once that a scalar equals a value or an array holds it; a long list of values is hashed. */
function containsAny(value: CustomValue, operands: Operand[], parameters: SqlParameters): string {
  const texts = operands.map((operand) => JSON.stringify(operand.value));
  if (texts.length === 1) return `coalesce(${value.json} @> ${parameters.add(texts[0])}::jsonb, false)`;
  const list = `ANY (${parameters.add(texts)}::jsonb[])`;
  if (texts.length <= MAX_UNHASHED_VALUES) return `coalesce(${value.json} @> ${list}, false)`;
  return `coalesce(CASE jsonb_typeof(${value.json}) WHEN 'array' THEN ${value.json} @> ${list}
    ELSE ${value.json} = ${list} END, false)`;
}

/** The text of a number, boolean, object or array is never ISO 8601, so that only text is found. */
function holdsMoment(value: CustomValue, moments: bigint[], parameters: SqlParameters): string {
  if (value.read) {
    return `coalesce(${value.read.moments()} && ${parameters.add(moments.map(timestampText))}::timestamptz[], false)`;
  }
  return `CASE WHEN jsonb_typeof(${value.json}) = 'array'
    THEN EXISTS (SELECT FROM jsonb_array_elements_text(${value.json}) AS element (t)
      WHERE ${equalsMoment('element.t', moments, parameters)})
    ELSE ${equalsMoment(value.text, moments, parameters)} END`;
}

function compares(value: CustomValue, sign: Sign, operand: Operand | undefined, parameters: SqlParameters): string {
  switch (operand?.type) {
    case 'moment':
      return comparesMoments(value, sign, operand.value, parameters);
    case 'number':
      return `CASE WHEN jsonb_typeof(${value.json}) = 'number'
        THEN ${value.json} ${sign} ${parameters.add(JSON.stringify(operand.value))}::jsonb ELSE false END`;
    case 'text':
      return `CASE WHEN jsonb_typeof(${value.json}) = 'string'
        THEN ${value.text} COLLATE "C" ${sign} ${parameters.add(operand.value)}::text ELSE false END`;
    default:
      return 'false';
  }
}

/** The database has noted which attributes hold ISO 8601 text; a registration field is looked at here. */
function comparesMoments(value: CustomValue, sign: Sign, moment: bigint, parameters: SqlParameters): string {
  if (value.read) return readComparesToMoment(value.read.moment(), sign, moment, parameters);
  const attribute = (alias: string): string => `WHEN ${alias}.attributes ->> ${value.key} IS NOT NULL
    THEN CASE WHEN ${alias}.moment_names ? ${value.key}
      THEN ${knownComparesToMoment(`${alias}.attributes ->> ${value.key}`, sign, moment, parameters)} ELSE false END`;
  return `CASE ${attribute('i')} ${attribute('u')}
    ELSE ${comparesToMoment(value.registered, sign, moment, parameters)} END`;
}
