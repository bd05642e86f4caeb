import { isoMoment, versionSortKey } from '@postrider/domain';
import { sql, type Sql } from '@postrider/persistence';
import { momentOrAge } from '../language/read-scalar';
import type { Rule } from '../language/rule';
import { type Sign, signOf, signSql } from './comparison';
import { timestampText } from './moment-sql';

const TIME_COLUMNS = { installDate: sql`i.install_date`, launchTime: sql`i.launch_time` };
const VERSION_COLUMNS = { clientVersion: sql`i.client_version_key`, osVersion: sql`i.os_version_key` };

/** The range of PostgreSQL's bigint. */
const LEAST_BIGINT = -(2n ** 63n);
const MOST_BIGINT = 2n ** 63n - 1n;

/** `launchTime` and `installDate`: every device has them. */
export function compileTime(rule: Rule, name: keyof typeof TIME_COLUMNS, now: Date): Sql {
  const isRelative = rule.operator === 'before' || rule.operator === 'after';
  const moments = rule.values
    .map((value) => (isRelative ? momentOrAge(String(value), now) : isoMoment(String(value))))
    .filter((moment) => moment !== null);
  const sign = signOf(rule);
  const compared = equalsOrCompares(TIME_COLUMNS[name], sign, moments.map(timestampText), sql`timestamptz`);
  const [moment] = moments;
  if (name === 'installDate' || sign === '=' || moment === undefined) return compared;
  // The day is indexed, the moment is not: most launches do not change the day.
  const day = sql`(${timestampText(moment)}::timestamptz AT TIME ZONE 'UTC')::date`;
  return sql`(i.launch_day ${sign.startsWith('<') ? sql`<=` : sql`>=`} ${day} AND ${compared})`;
}

/** Versions are compared by their sort keys. A device whose version has no digit has none. */
export function compileVersion(rule: Rule, name: keyof typeof VERSION_COLUMNS): Sql {
  const column = VERSION_COLUMNS[name];
  const keys = rule.values.map((value) => versionSortKey(String(value)));
  return sql`(${column} IS NOT NULL AND ${equalsOrCompares(column, signOf(rule), keys, sql`text`)})`;
}

/** Device types are stored in lower case. */
export function compileDeviceType(rule: Rule): Sql {
  const types = rule.values.map((value) => String(value).toLowerCase());
  return sql`(i.device_type IS NOT NULL AND ${equalsOrCompares(sql`i.device_type`, '=', types, sql`text`)})`;
}

/** `tags`: the user has one of them. The index on tags finds it. */
export function compileTags(rule: Rule): Sql {
  return sql`i.tags && ${rule.values}::text[]`;
}

/** @param isOnline SQL condition: the device is online */
export function compileOnline(rule: Rule, isOnline: () => Sql): Sql {
  if (rule.values.includes(true) && rule.values.includes(false)) return sql`true`;
  return rule.values.includes(true) ? isOnline() : sql`NOT ${isOnline()}`;
}

/** `launchCount` is a whole number, so the value is converted to one, and the column is used as it is. */
export function compileCount(rule: Rule): Sql {
  const sign = signOf(rule);
  const bounds = rule.values.map((value) => floorOf(typeof value === 'number' ? value : String(value)));
  if (sign === '=') {
    const whole = bounds.filter(({ floor, isWhole }) => isWhole && isBigint(floor)).map(({ floor }) => String(floor));
    return whole.length > 0 ? equalsOrCompares(sql`i.launch_count`, '=', whole, sql`bigint`) : sql`false`;
  }
  const [bound] = bounds;
  if (!bound) return sql`false`;
  // Beyond bigint the result is the same for every device.
  if (!isBigint(bound.floor)) return bound.floor > 0n === (sign === '<' || sign === '<=') ? sql`true` : sql`false`;
  return equalsOrCompares(sql`i.launch_count`, wholeSign(sign, bound.isWhole), [String(bound.floor)], sql`bigint`);
}

/** `n < 2.5` is `n <= 2`, and `n >= 2.5` is `n > 2`. */
function wholeSign(sign: Sign, isWhole: boolean): Sign {
  if (isWhole) return sign;
  return sign === '<' || sign === '<=' ? '<=' : '>';
}

function isBigint(value: bigint): boolean {
  return value >= LEAST_BIGINT && value <= MOST_BIGINT;
}

function equalsOrCompares(column: Sql, sign: Sign, values: unknown[], type: Sql): Sql {
  if (values.length === 1) return sql`${column} ${signSql(sign)} ${values[0]}::${type}`;
  return sql`${column} = ANY (${values}::${type}[])`;
}

/**
 * The largest whole number that is not above `value`, and `isWhole` if both are equal. Exact for text of any length.
 */
function floorOf(value: number | string): { floor: bigint; isWhole: boolean } {
  if (typeof value === 'number') {
    const floor = Math.floor(value);
    return { floor: BigInt(floor), isWhole: floor === value };
  }
  const [whole = '', fraction = ''] = value.split('.');
  const isWhole = !/[1-9]/.test(fraction);
  const isBelow = !isWhole && value.startsWith('-');
  return { floor: BigInt(whole) - (isBelow ? 1n : 0n), isWhole };
}
