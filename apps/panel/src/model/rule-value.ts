import {
  isoMoment,
  MAX_NAME_LENGTH,
  MAX_RULE_VALUES,
  normaliseName,
  normaliseText,
  versionSortKey,
} from '@postrider/domain';
import type { SegmentRule } from '../api/generated/document';
import type { RuleDraft } from './segment-draft';
import { fieldKind, hasValueType, type Operator, takesList, takesMoment, type ValueType } from './segment-field';

/** One value of a rule on the wire. */
export type Scalar = string | number | boolean;

/** What a text was read as, or what is wrong with it, in words for who typed it. */
export type ValueReading<T> = { value: T } | { problem: string };

const AGE = /^\d+(?:\.\d+)?[hmd]$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Reads the value of a rule as the API takes it. */
export function readRuleValue(rule: RuleDraft): ValueReading<SegmentRule['value']> {
  if (fieldKind(rule.name) === 'place') return readPlace(rule.place);
  const texts = rule.values.map((text) => text.trim());
  if (!takesList(rule.operator)) return readScalar(rule, texts[0] ?? '');
  const filled = texts.filter((text) => text !== '');
  if (filled.length === 0) return { problem: 'Give at least one value' };
  if (filled.length > MAX_RULE_VALUES) return { problem: `At most ${MAX_RULE_VALUES} values go into one rule` };
  const values: Scalar[] = [];
  for (const text of filled) {
    const reading = readScalar(rule, text);
    if ('problem' in reading) return { problem: `${text}: ${reading.problem}` };
    values.push(reading.value);
  }
  return { value: values };
}

function readScalar({ name, operator, valueType }: RuleDraft, text: string): ValueReading<Scalar> {
  if (text === '') return { problem: 'Give a value' };
  if (normaliseText(text) === null) return { problem: 'It holds a character that cannot be stored' };
  const kind = fieldKind(name);
  if (hasValueType(kind)) return readTyped(text, valueType, operator);
  switch (kind) {
    case 'time':
      return readMoment(text, operator);
    case 'count':
      return readNumber(text);
    case 'online':
      return { value: text === 'true' };
    case 'version':
      return versionSortKey(text) === null
        ? { problem: 'A version has at least one number, like 10.2' }
        : { value: text };
    default:
      return normaliseName(text) === null ? { problem: `At most ${MAX_NAME_LENGTH} characters` } : { value: text };
  }
}

function readTyped(text: string, valueType: ValueType, operator: Operator): ValueReading<Scalar> {
  if (takesMoment(operator)) return readMoment(text, operator);
  switch (valueType) {
    case 'number':
      return readNumber(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'It must be true or false' };
    case 'mixed':
      return readLiteral(text);
    default:
      return { value: text };
  }
}

function readMoment(text: string, operator: Operator): ValueReading<string> {
  if (isoMoment(text) !== null || (takesMoment(operator) && AGE.test(text))) return { value: text };
  return {
    problem: takesMoment(operator)
      ? 'Give hours, minutes or days ago, or a date'
      : 'Give a date, like 2024-05-31 or 2024-05-31T12:00Z',
  };
}

function readNumber(text: string): ValueReading<number> {
  return DECIMAL.test(text) ? { value: Number(text) } : { problem: 'It must be a number' };
}

/** One value of a list of mixed types: a number, true, false, or text in double quotes. */
function readLiteral(text: string): ValueReading<Scalar> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { value };
  } catch {
    // Said below.
  }
  return { problem: 'It must be a number, true, false, or text in double quotes' };
}

function readPlace({
  lat,
  lng,
  radius,
}: RuleDraft['place']): ValueReading<{ lat: number; lng: number; radius: number }> {
  const [north, east, metres] = [lat, lng, radius].map((text) => (DECIMAL.test(text.trim()) ? Number(text) : NaN));
  if (north === undefined || !(Math.abs(north) <= 90)) return { problem: 'The latitude is a number from -90 to 90' };
  if (east === undefined || !(Math.abs(east) <= 180)) return { problem: 'The longitude is a number from -180 to 180' };
  if (metres === undefined || !(metres >= 0)) return { problem: 'The radius is a number of metres' };
  return { value: { lat: north, lng: east, radius: metres } };
}
