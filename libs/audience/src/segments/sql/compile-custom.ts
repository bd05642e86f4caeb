import { joined, sql, type Sql } from '@postrider/persistence';
import type { Rule } from '../language/rule';
import { type Operand, operandsOf, type Sign, signOf, signSql, valuesOf } from './comparison';
import type { CustomValue } from './custom-value';
import {
  comparesToMoment,
  equalsMoment,
  knownComparesToMoment,
  readComparesToMoment,
  timestampText,
} from './moment-sql';

/** PostgreSQL hashes longer arrays of `= ANY`. */
const MAX_UNHASHED_VALUES = 8;

/**
 * Compiles a rule on a custom field in its positive form: never NULL, false if the field is absent or of another type.
 *
 * @param value SQL of the field
 */
export function compileCustom(rule: Rule, value: CustomValue, now: Date): Sql {
  const operands = operandsOf(rule, now);
  const sign = signOf(rule);
  return sign === '=' ? equalsAny(value, operands) : compares(value, sign, operands[0]);
}

function equalsAny(value: CustomValue, operands: Operand[]): Sql {
  const plain = operands.filter((operand) => operand.type !== 'moment');
  const moments = valuesOf(operands, 'moment');
  const terms: Sql[] = [];
  if (plain.length > 0) terms.push(containsAny(value, plain));
  if (moments.length > 0) terms.push(holdsMoment(value, moments));
  return sql`(${joined(terms, ' OR ')})`;
}

/**
 * Containment in jsonb covers both: a scalar equals a value, or an array contains it. A long list of values is hashed.
 */
function containsAny(value: CustomValue, operands: Operand[]): Sql {
  const texts = operands.map((operand) => JSON.stringify(operand.value));
  if (texts.length === 1) return sql`coalesce(${value.json} @> ${texts[0]}::jsonb, false)`;
  const list = sql`ANY (${texts}::jsonb[])`;
  if (texts.length <= MAX_UNHASHED_VALUES) return sql`coalesce(${value.json} @> ${list}, false)`;
  return sql`coalesce(CASE jsonb_typeof(${value.json}) WHEN 'array' THEN ${value.json} @> ${list}
    ELSE ${value.json} = ${list} END, false)`;
}

/** The text of a number, boolean, object or array is never ISO 8601, so only texts are found. */
function holdsMoment(value: CustomValue, moments: bigint[]): Sql {
  if (value.read) {
    return sql`coalesce(${value.read.moments()} && ${moments.map(timestampText)}::timestamptz[], false)`;
  }
  return sql`CASE WHEN jsonb_typeof(${value.json}) = 'array'
    THEN EXISTS (SELECT FROM jsonb_array_elements_text(${value.json}) AS element (t)
      WHERE ${equalsMoment(sql`element.t`, moments)})
    ELSE ${equalsMoment(value.text, moments)} END`;
}

function compares(value: CustomValue, sign: Sign, operand: Operand | undefined): Sql {
  switch (operand?.type) {
    case 'moment':
      return comparesMoments(value, sign, operand.value);
    case 'number':
      return sql`CASE WHEN jsonb_typeof(${value.json}) = 'number'
        THEN ${value.json} ${signSql(sign)} ${JSON.stringify(operand.value)}::jsonb ELSE false END`;
    case 'text':
      return sql`CASE WHEN jsonb_typeof(${value.json}) = 'string'
        THEN ${value.text} COLLATE "C" ${signSql(sign)} ${operand.value}::text ELSE false END`;
    default:
      return sql`false`;
  }
}

/** The database records which attributes hold ISO 8601 text. A registration field is checked here. */
function comparesMoments(value: CustomValue, sign: Sign, moment: bigint): Sql {
  if (value.read) return readComparesToMoment(value.read.moment(), sign, moment);
  const attribute = (alias: Sql): Sql => sql`WHEN ${alias}.attributes ->> ${value.key} IS NOT NULL
    THEN CASE WHEN ${alias}.moment_names ? ${value.key}
      THEN ${knownComparesToMoment(sql`${alias}.attributes ->> ${value.key}`, sign, moment)} ELSE false END`;
  return sql`CASE ${attribute(sql`i`)} ${attribute(sql`u`)}
    ELSE ${comparesToMoment(value.registered, sign, moment)} END`;
}
