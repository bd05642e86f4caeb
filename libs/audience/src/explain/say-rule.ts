import type { JsonValue } from '@postrider/domain';
import { fieldOf, type Operator, type PlaceRule, type Rule, type Scalar } from '../segments/language/rule';
import { momentOrAge } from '../segments/language/read-scalar';
import { timestampText } from '../segments/sql/moment-sql';
import { customValueOf, type DeviceFacts } from './explained-device';

/** The most values of a long list that are named. */
const NAMED_VALUES = 5;

/** The phrase for each operator, in its positive form. */
const QUESTIONS: Record<Operator, string> = {
  equal_to: 'equal to',
  not_equal: 'equal to',
  include: 'one of',
  not_include: 'one of',
  lesser_than: 'less than',
  lesser_equals: 'at most',
  greater_than: 'greater than',
  greater_equals: 'at least',
  before: 'before',
  after: 'after',
};

/**
 * Says in words why a rule is true or false for a device, from the device's data.
 *
 * @param holds the rule's result, as PostgreSQL computed it
 */
export function sayRule(rule: PlaceRule | Rule, device: DeviceFacts, holds: boolean, now: Date): string {
  const isSo = NEGATED.has(rule.operator) ? !holds : holds;
  if (rule.kind === 'place') return sayPlace(rule, device, isSo);
  const field = fieldOf(rule.name);
  if (field.kind === 'tags') return sayTags(rule, device);
  if (field.kind === 'online') return device.isOnline ? 'is online' : 'is not online';
  if (field.kind === 'time' && isTimeRule(rule)) {
    return sayTime(rule, { name: field.name, at: device[field.name] }, holds, now);
  }
  const { subject, value, absent } = subjectOf(rule.name, device);
  if (value === undefined) return absent;
  return `${subject} ${show(value)} is ${isSo ? '' : 'not '}${QUESTIONS[rule.operator]} ${values(rule, now)}`;
}

const NEGATED: ReadonlySet<Operator> = new Set(['not_equal', 'not_include']);

function isTimeRule({ operator }: Rule): boolean {
  return operator === 'before' || operator === 'after';
}

const TIMES = { launchTime: 'last visit', installDate: 'installation' } as const;
const VERSIONS = { clientVersion: 'app version', osVersion: 'system version' } as const;
const UNITS: Record<string, string> = { m: 'minute', h: 'hour', d: 'day' };
const DAY_AND_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** `last visit was 22 November 2026 at 10:00 UTC, within 30 days`. */
function sayTime(
  { operator, values: [value] }: Rule,
  { name, at }: { name: keyof typeof TIMES; at: Date },
  holds: boolean,
  now: Date,
): string {
  const was = `${TIMES[name]} was ${sayMoment(at)}`;
  const text = String(value);
  const [, count, unit] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const age = `${count} ${UNITS[unit]}${count === '1' ? '' : 's'}`;
    return holds === (operator === 'after') ? `${was}, within ${age}` : `${was}, more than ${age} ago`;
  }
  const moment = momentOrAge(text, now);
  const other =
    moment === null || Number.isNaN(Date.parse(timestampText(moment)))
      ? text
      : sayMoment(new Date(timestampText(moment)));
  return `${was}, ${holds ? '' : 'not '}${operator} ${other}`;
}

function sayMoment(at: Date): string {
  return `${DAY_AND_TIME.format(at)} UTC`;
}

function sayTags({ values: named }: Rule, { tags }: DeviceFacts): string {
  const carried = named.filter((tag) => tags.includes(String(tag)));
  if (carried.length > 0) return `carries the tag ${list(carried, 'and')}`;
  return named.length === 1 ? `does not carry the tag ${list(named, 'or')}` : `carries none of the tags ${list(named, 'or')}`; // prettier-ignore
}

function sayPlace({ place }: PlaceRule, { latitude, longitude }: DeviceFacts, isNear: boolean): string {
  if (latitude === null || longitude === null) return 'has no location';
  const metres = greatCircleMetres(place, { lat: latitude, lng: longitude });
  const circle = `${place.radiusMetres} m around ${place.lat}, ${place.lng}`;
  return `location is ${isNear ? 'within' : 'not within'} ${circle}: it is ${Math.round(metres)} m away`;
}

/** A field of a device: its name, its value, and the text for a missing value. */
interface Subject {
  subject: string;
  value: JsonValue | undefined;
  absent: string;
}

function subjectOf(name: string, device: DeviceFacts): Subject {
  const field = fieldOf(name);
  switch (field.kind) {
    case 'time':
      return named(TIMES[field.name], device[field.name].toISOString());
    case 'version':
      return named(VERSIONS[field.name], device[field.name]);
    case 'count':
      return named('number of visits', Number(device.launchCount));
    case 'deviceType':
      return named('device type', device.deviceType);
    case 'tagValue':
      return subjectOfTag(field.tag, device);
    default: {
      const subject = `attribute ${JSON.stringify(name)}`;
      return { subject, value: customValueOf(device, name), absent: `has no ${subject}` };
    }
  }
}

function named(subject: string, value: JsonValue): Subject {
  return { subject, value: value ?? undefined, absent: `has no ${subject}` };
}

function subjectOfTag(tag: string, { tags, tagValues }: DeviceFacts): Subject {
  const quoted = JSON.stringify(tag);
  const value = tags.includes(tag) && Object.hasOwn(tagValues, tag) ? tagValues[tag] : undefined;
  const absent = tags.includes(tag) ? `tag ${quoted} has no value` : `does not carry the tag ${quoted}`;
  return { subject: `value of tag ${quoted}`, value, absent };
}

function values({ operator, values: all }: Rule, now: Date): string {
  if (operator !== 'before' && operator !== 'after') return list(all, 'or');
  const text = String(all[0]);
  const moment = momentOrAge(text, now);
  const isAge = /^\d/.test(text) && /[hmd]$/.test(text);
  if (!isAge || moment === null) return list(all, 'or');
  const at = timestampText(moment);
  return at === '-infinity' ? `${text} ago` : `${text} ago (${at.replace(/\.\d+Z$/, 'Z')})`;
}

function list(all: readonly Scalar[], joiner: 'and' | 'or'): string {
  const shown = all.slice(0, NAMED_VALUES).map((value) => JSON.stringify(value));
  const more = all.length - shown.length;
  if (more > 0) return `${shown.join(', ')} ${joiner} ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${joiner} ${shown.at(-1) ?? ''}`;
}

/** A value of any size, as text for people. */
function show(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

const EARTH_RADIUS_METRES = 6_371_000;
const RADIANS = Math.PI / 180;

/** A point in degrees. */
interface Point {
  lat: number;
  lng: number;
}

/** The great-circle distance of two points on the sphere of `nearBy` (haversine). */
function greatCircleMetres(one: Point, other: Point): number {
  const [lat, otherLat] = [one.lat * RADIANS, other.lat * RADIANS];
  const chord =
    Math.sin((otherLat - lat) / 2) ** 2 +
    Math.cos(lat) * Math.cos(otherLat) * Math.sin(((other.lng - one.lng) * RADIANS) / 2) ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)));
}
