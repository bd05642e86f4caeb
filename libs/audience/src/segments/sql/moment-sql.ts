import { sql, type Sql } from '@postrider/persistence';
import { type Sign, signSql } from './comparison';

/** Year 0 of JavaScript's calendar, which PostgreSQL calls 1 BC. */
const YEAR_ZERO_MICROS = BigInt(Date.parse('0000-01-01T00:00:00Z')) * 1000n;
const MICROS_PER_MILLI = 1000n;

/** A moment as a parameter of type timestamptz, to the microsecond. */
export function timestampText(micros: bigint): string {
  if (micros < YEAR_ZERO_MICROS) return '-infinity';
  const rest = ((micros % MICROS_PER_MILLI) + MICROS_PER_MILLI) % MICROS_PER_MILLI;
  const millis = new Date(Number((micros - rest) / MICROS_PER_MILLI)).toISOString();
  const text = millis.replace('Z', `${String(rest).padStart(3, '0')}Z`);
  if (text.startsWith('0000')) return `0001${text.slice(4)} BC`;
  return text.replace(/^\+0/, '');
}

/** A text differs from the UTC text of its moment by a day at most, whatever its offset (`isoMoment`). */
const WIDEST_OFFSET_MICROS = 86_400_000_000n;

/** No ISO 8601 text of `micros` or later sorts before this text by code point. */
function lowestTextOf(micros: bigint): string {
  const text = timestampText(micros - WIDEST_OFFSET_MICROS);
  if (text === '-infinity' || text.endsWith('BC')) return '';
  return text.length === '2024-01-01T00:00:00.000000Z'.length ? text.slice(0, 'YYYY-MM-DD'.length) : '~';
}

/** No ISO 8601 text of `micros` or earlier sorts behind this text by code point. */
function highestTextOf(micros: bigint): string {
  const text = timestampText(micros + WIDEST_OFFSET_MICROS);
  if (text === '-infinity' || text.endsWith('BC')) return '';
  return text.length === '2024-01-01T00:00:00.000000Z'.length ? `${text.slice(0, 'YYYY-MM-DD'.length)}~` : '~';
}

/** The form and ranges of `isoMoment`, without the lengths of months. */
const SHAPE = sql`'^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?'
  '(?:Z|[+-](?:0[0-9]|1[0-5]):[0-5][0-9])?)?$'`;
const LEAP_YEAR = sql`'^(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)$'`;
const NO_DAYS = sql`'02-30', '02-31', '04-31', '06-31', '09-31', '11-31'`;

/**
 * SQL of the moment of a text that is known to be ISO 8601. `timestamp` input ignores a `Z` and no session time zone
 * applies; only an offset needs the other cast.
 */
export function castToMoment(text: Sql): Sql {
  return sql`CASE WHEN length(${text}) > 16 AND left(right(${text}, 6), 1) IN ('+', '-') THEN ${text}::timestamptz
    ELSE ${text}::timestamp AT TIME ZONE 'UTC' END`;
}

/**
 * SQL of the moment of an ISO 8601 text, as `isoMoment` reads it, and NULL for every other text. Nothing that a device
 * sent makes it fail.
 *
 * @param text SQL of a text; evaluated once
 */
export function momentOf(text: Sql): Sql {
  return sql`(SELECT CASE WHEN s.t ~ ${SHAPE} AND s.t >= '0001' AND substr(s.t, 6, 5) NOT IN (${NO_DAYS})
      AND (substr(s.t, 6, 5) <> '02-29' OR left(s.t, 4) ~ ${LEAP_YEAR}) THEN ${castToMoment(sql`s.t`)} END
    FROM (SELECT (${text}) COLLATE "C" AS t OFFSET 0) s)`;
}

/** SQL condition, never NULL: a moment that was read before is on that side of `moment`. */
export function readComparesToMoment(read: Sql, sign: Sign, moment: bigint): Sql {
  return sql`coalesce(${read} ${signSql(sign)} ${timestampText(moment)}::timestamptz, false)`;
}

/** SQL condition, never NULL: a text is a moment that equals one of `moments`. */
export function equalsMoment(text: Sql, moments: bigint[]): Sql {
  const least = moments.reduce((a, b) => (b < a ? b : a));
  const most = moments.reduce((a, b) => (b > a ? b : a));
  const values = moments.map(timestampText);
  const [low, high] = [lowestTextOf(least), highestTextOf(most)];
  return sql`coalesce(CASE WHEN (${text}) COLLATE "C" BETWEEN ${low}::text AND ${high}::text
    THEN ${momentOf(text)} = ANY (${values}::timestamptz[]) END, false)`;
}

/**
 * SQL condition, never NULL: a text is a moment on that side of `moment`. Text that cannot be on that side by its sort
 * order is not parsed.
 */
export function comparesToMoment(text: Sql, sign: Sign, moment: bigint): Sql {
  const bound =
    sign === '<' || sign === '<=' ? sql`<= ${highestTextOf(moment)}::text` : sql`>= ${lowestTextOf(moment)}::text`;
  const value = timestampText(moment);
  return sql`coalesce(CASE WHEN (${text}) COLLATE "C" ${bound}
    THEN ${momentOf(text)} ${signSql(sign)} ${value}::timestamptz END, false)`;
}

/**
 * Like `comparesToMoment`, for a text that is known to be ISO 8601: if the texts differ by more than a day, their sort
 * order decides.
 *
 * @param text SQL of a text; evaluated up to three times
 */
export function knownComparesToMoment(text: Sql, sign: Sign, moment: bigint): Sql {
  const isBefore = sign === '<' || sign === '<=';
  const [low, high] = [lowestTextOf(moment), highestTextOf(moment)];
  return sql`CASE WHEN (${text}) COLLATE "C" < ${low}::text THEN ${isBefore ? sql`true` : sql`false`}
    WHEN (${text}) COLLATE "C" > ${high}::text THEN ${isBefore ? sql`false` : sql`true`}
    ELSE (${castToMoment(sql`(${text})`)}) ${signSql(sign)} ${timestampText(moment)}::timestamptz END`;
}
