import { joined, sql, type Sql } from '@postrider/persistence';
import type { Rule } from '../language/rule';
import { type Operand, operandsOf, type Sign, signOf, signSql, valuesOf } from './comparison';
import { comparesToMoment, equalsMoment, readComparesToMoment, timestampText } from './moment-sql';

/**
 * Compiles `tags.<key>`, the value of a key/value tag, in its positive form: never NULL, false for a tag that the user
 * does not have or that has no value. For a comparison with a number, the text is read as a number. The condition also
 * names `tags`, whose index finds the few devices.
 */
export function compileTagValue(rule: Rule, tag: string, value: () => TagValue, now: Date): Sql {
  const operands = operandsOf(rule, now).filter(({ type }) => type !== 'boolean');
  // A tag's value is text and never a boolean. An added parameter must be used, so none is added here.
  if (operands.length === 0) return sql`false`;
  const sign = signOf(rule);
  const test = sign === '=' ? equalsAny(value(), operands) : compares(value(), sign, operands[0]);
  return sql`(i.tags @> ${[tag]}::text[] AND ${test})`;
}

function equalsAny({ text, read }: TagValue, operands: Operand[]): Sql {
  const [texts, numbers, moments] = [
    valuesOf(operands, 'text'),
    valuesOf(operands, 'number'),
    valuesOf(operands, 'moment'),
  ];
  const terms: Sql[] = [];
  if (texts.length > 0) terms.push(sql`coalesce(${text} = ANY (${texts}::text[]), false)`);
  if (numbers.length > 0) {
    const number = read?.number() ?? numberOfText(text);
    terms.push(sql`coalesce((${number}) = ANY (${numbers}::float8[]), false)`);
  }
  if (moments.length > 0) terms.push(equalsMoments({ text, read }, moments));
  return sql`(${joined(terms, ' OR ')})`;
}

function equalsMoments({ text, read }: TagValue, moments: bigint[]): Sql {
  if (!read) return equalsMoment(text, moments);
  return sql`coalesce(${read.moment()} = ANY (${moments.map(timestampText)}::timestamptz[]), false)`;
}

function compares({ text, read }: TagValue, sign: Sign, operand: Operand | undefined): Sql {
  switch (operand?.type) {
    case 'moment':
      return read
        ? readComparesToMoment(read.moment(), sign, operand.value)
        : comparesToMoment(text, sign, operand.value);
    case 'number':
      return sql`coalesce((${read?.number() ?? numberOfText(text)}) ${signSql(sign)} ${operand.value}::float8, false)`;
    case 'text':
      return sql`coalesce(${text} COLLATE "C" ${signSql(sign)} ${operand.value}::text, false)`;
    default:
      return sql`false`;
  }
}

/** The value of a key/value tag in SQL. */
export interface TagValue {
  text: Sql;
  /** If several rules use the tag: SQL of its text read as a type, once per row. NULL for any other text. */
  read?: { moment(): Sql; number(): Sql };
}

/** SQL of the text of a tag's value. NULL if there is none. */
export function tagText(tag: string): Sql {
  return sql`(i.tag_values ->> ${tag}::text)`;
}

/**
 * SQL of the number in a text, NULL for any other text. This many characters always fit into a double, so that the cast
 * cannot fail.
 */
export function numberOfText(text: Sql): Sql {
  return sql`CASE WHEN length(${text}) <= 300 AND ${text} ~ '^-?[0-9]+(?:[.][0-9]+)?$' THEN ${text}::float8 END`;
}
