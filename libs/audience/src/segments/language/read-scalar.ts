import { isoMoment, MAX_NAME_LENGTH, normaliseName, normaliseText, versionSortKey } from '@postrider/domain';
import { type Field, EQUALITY_OPERATORS, type Operator, TIME_OPERATORS, type Scalar } from './rule';
import type { RuleProblems } from './rule-problems';

/** Numbers as text: an optional sign, digits, and digits behind a decimal point. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** More digits add no precision, and this many always fit into a double. */
const MAX_DECIMAL_LENGTH = 300;

/**
 * The number in a request's number or plain decimal text.
 *
 * @returns null for anything else
 */
export function readDecimal(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > MAX_DECIMAL_LENGTH || !DECIMAL.test(value)) return null;
  return Number(value);
}

const RELATIVE = /^(\d+(?:\.\d+)?)([hmd])$/;

const MICROS_OF = { m: 60e6, h: 3_600e6, d: 86_400e6 };

/** The largest age: some three hundred thousand years, far beyond what PostgreSQL can store. */
const LONGEST_MICROS = 1e19;

/** True if a text is a valid value of `before` and `after`: `<x>h`, `<x>m`, `<x>d` or ISO 8601. */
function isMomentOrAge(text: string): boolean {
  return RELATIVE.test(text) || isoMoment(text) !== null;
}

/**
 * The moment in the value of `before` and `after`, in microseconds since 1970.
 *
 * @param now the time from which an age (`6h`: six hours ago) is counted back
 * @returns null for any other text
 */
export function momentOrAge(text: string, now: Date): bigint | null {
  const [, amount, unit] = RELATIVE.exec(text) ?? [];
  if (amount === undefined) return isoMoment(text);
  const micros = Math.min(Number(amount) * MICROS_OF[unit as keyof typeof MICROS_OF], LONGEST_MICROS);
  return BigInt(now.getTime()) * 1000n - BigInt(Math.round(micros));
}

const MOMENT_OR_AGE = 'must be hours, minutes or days as "6h", "30m", "2d", or an ISO 8601 time as "2024-05-31T12:00Z"';
const MOMENT = 'must be an ISO 8601 time as "2024-05-31" or "2024-05-31T12:00:00+02:00"';

/**
 * Reads one value that a field is compared with. Text is returned in NFC. The field and the operator decide which types
 * a value may have. Null if it is bad, which is then added to `problems`.
 */
export function readScalar(
  value: unknown,
  field: Field,
  operator: Operator,
  path: string,
  problems: RuleProblems,
): Scalar | null {
  if (Array.isArray(value)) return problems.add(path, 'must be one value: arrays go with include');
  if (typeof value === 'number' && !Number.isFinite(value)) return problems.add(path, 'must be a finite number');
  const read = typeof value === 'string' ? normaliseText(value) : value;
  if (read === null && value !== null) return problems.add(path, 'must not hold NUL or lone surrogates');
  const message = objection(read, field, operator);
  return message === null ? (read as Scalar) : problems.add(path, message);
}

/** What is wrong with a value, or null: then it is a scalar. */
function objection(value: unknown, field: Field, operator: Operator): string | null {
  switch (field.kind) {
    case 'time':
      return objectionToTime(value, operator);
    case 'count':
      return readDecimal(value) === null ? 'must be a number' : null;
    case 'version':
      return isVersion(value) ? null : 'must be a version as text, like "10.0"';
    case 'online':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'deviceType':
    case 'tags':
      return objectionToName(value);
    default:
      return objectionToCustom(value, operator);
  }
}

function isVersion(value: unknown): boolean {
  return typeof value === 'string' && versionSortKey(value) !== null;
}

function objectionToName(value: unknown): string | null {
  const isName = typeof value === 'string' && normaliseName(value) !== null;
  return isName ? null : `must be text of 1 to ${MAX_NAME_LENGTH} characters`;
}

function objectionToTime(value: unknown, operator: Operator): string | null {
  if (TIME_OPERATORS.includes(operator))
    return typeof value === 'string' && isMomentOrAge(value) ? null : MOMENT_OR_AGE;
  return typeof value === 'string' && isoMoment(value) !== null ? null : MOMENT;
}

function objectionToCustom(value: unknown, operator: Operator): string | null {
  if (TIME_OPERATORS.includes(operator)) return objectionToTime(value, operator);
  if (typeof value === 'string' || typeof value === 'number') return null;
  if (EQUALITY_OPERATORS.includes(operator)) {
    return typeof value === 'boolean' ? null : 'must be text, a number or a boolean';
  }
  const allowed = 'must be text or a number';
  return typeof value === 'boolean' ? `${allowed}: a boolean goes with ${EQUALITY_OPERATORS.join(', ')} only` : allowed;
}
