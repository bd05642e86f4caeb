import { isoMoment, versionSortKey } from '@postrider/domain';
import type { SqlParameters } from '../../sql/sql-parameters';
import { momentOrAge } from '../language/moment';
import type { Rule } from '../language/rule';
import { type Sign, signOf } from './comparison';
import { timestampText } from './timestamp-text';
import { floorOf } from './whole-number';

const TIME_COLUMNS = { installDate: 'i.install_date', launchTime: 'i.launch_time' };
const VERSION_COLUMNS = { clientVersion: 'i.client_version_key', osVersion: 'i.os_version_key' };

/** What PostgreSQL's bigint holds. */
const LEAST_BIGINT = -(2n ** 63n);
const MOST_BIGINT = 2n ** 63n - 1n;

/** `launchTime` and `installDate`: every device has them. */
export function compileTime(rule: Rule, name: keyof typeof TIME_COLUMNS, now: Date, parameters: SqlParameters): string {
  const isRelative = rule.operator === 'before' || rule.operator === 'after';
  const moments = rule.values
    .map((value) => (isRelative ? momentOrAge(String(value), now) : isoMoment(String(value))))
    .filter((moment) => moment !== null);
  const sign = signOf(rule);
  const compared = equalsOrCompares(TIME_COLUMNS[name], sign, moments.map(timestampText), 'timestamptz', parameters);
  const [moment] = moments;
  if (name === 'installDate' || sign === '=' || moment === undefined) return compared;
  // The day is indexed, the moment is not: most launches leave the day as it is.
  const day = `(${parameters.add(timestampText(moment))}::timestamptz AT TIME ZONE 'UTC')::date`;
  return `(i.launch_day ${sign.startsWith('<') ? '<=' : '>='} ${day} AND ${compared})`;
}

/** Versions compare by their sort keys; a device whose version holds no digit has none. */
export function compileVersion(rule: Rule, name: keyof typeof VERSION_COLUMNS, parameters: SqlParameters): string {
  const column = VERSION_COLUMNS[name];
  const keys = rule.values.map((value) => versionSortKey(String(value)));
  return `(${column} IS NOT NULL AND ${equalsOrCompares(column, signOf(rule), keys, 'text', parameters)})`;
}

/** Device types are stored in lower case (device-protocol, Registration). */
export function compileDeviceType(rule: Rule, parameters: SqlParameters): string {
  const types = rule.values.map((value) => String(value).toLowerCase());
  return `(i.device_type IS NOT NULL AND ${equalsOrCompares('i.device_type', '=', types, 'text', parameters)})`;
}

/** `tags`: carries one of them; the index on tags answers. */
export function compileTags(rule: Rule, parameters: SqlParameters): string {
  return `i.tags && ${parameters.add(rule.values)}::text[]`;
}

/** @param isOnline SQL of whether a device is online */
export function compileOnline(rule: Rule, isOnline: () => string): string {
  if (rule.values.includes(true) && rule.values.includes(false)) return 'true';
  return rule.values.includes(true) ? isOnline() : `NOT ${isOnline()}`;
}

/** `launchCount` is a whole number: so the value is brought to one, and the column stays as it is. */
export function compileCount(rule: Rule, parameters: SqlParameters): string {
  const sign = signOf(rule);
  const bounds = rule.values.map((value) => floorOf(typeof value === 'number' ? value : String(value)));
  if (sign === '=') {
    const whole = bounds.filter(({ floor, isWhole }) => isWhole && isBigint(floor)).map(({ floor }) => String(floor));
    return whole.length > 0 ? equalsOrCompares('i.launch_count', '=', whole, 'bigint', parameters) : 'false';
  }
  const [bound] = bounds;
  if (!bound) return 'false';
  // Beyond bigint the answer is the same for every device.
  if (!isBigint(bound.floor)) return String(bound.floor > 0n === (sign === '<' || sign === '<='));
  return equalsOrCompares(
    'i.launch_count',
    wholeSign(sign, bound.isWhole),
    [String(bound.floor)],
    'bigint',
    parameters,
  );
}

/** `n < 2.5` is `n <= 2`, and `n >= 2.5` is `n > 2`. */
function wholeSign(sign: Sign, isWhole: boolean): Sign {
  if (isWhole) return sign;
  return sign === '<' || sign === '<=' ? '<=' : '>';
}

function isBigint(value: bigint): boolean {
  return value >= LEAST_BIGINT && value <= MOST_BIGINT;
}

function equalsOrCompares(
  column: string,
  sign: Sign,
  values: unknown[],
  type: string,
  parameters: SqlParameters,
): string {
  if (values.length === 1) return `${column} ${sign} ${parameters.add(values[0])}::${type}`;
  return `${column} = ANY (${parameters.add(values)}::${type}[])`;
}
