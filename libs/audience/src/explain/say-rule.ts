import type { JsonValue } from '@postrider/domain';
import { fieldOf } from '../segments/language/field';
import { momentOrAge } from '../segments/language/moment';
import type { Operator } from '../segments/language/operator';
import type { PlaceRule, Rule, Scalar } from '../segments/language/rule';
import { timestampText } from '../segments/sql/timestamp-text';
import { customValueOf, type DeviceFacts } from './explained-device';
import { greatCircleMetres } from './great-circle';

/** How many of a long list of values are named. */
const NAMED_VALUES = 5;

/** How an operator's positive question is asked. */
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
 * Says in words why a rule holds for a device or does not, from what the device has.
 *
 * @param holds the rule's answer, as PostgreSQL gave it
 */
export function sayRule(rule: PlaceRule | Rule, device: DeviceFacts, holds: boolean, now: Date): string {
  const isNegated = rule.operator === 'not_equal' || rule.operator === 'not_include';
  const isSo = isNegated ? !holds : holds;
  if (rule.kind === 'place') return sayPlace(rule, device, isSo);
  const field = fieldOf(rule.name);
  if (field.kind === 'tags') return sayTags(rule, device);
  if (field.kind === 'online') return device.isOnline ? 'is online' : 'is not online';
  const { subject, value, absent } = subjectOf(rule.name, device);
  if (value === undefined) return absent;
  return `${subject} ${show(value)} is ${isSo ? '' : 'not '}${QUESTIONS[rule.operator]} ${values(rule, now)}`;
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

/** A field of a device: how it is called, what it holds, and what is said when it holds nothing. */
interface Subject {
  subject: string;
  value: JsonValue | undefined;
  absent: string;
}

function subjectOf(name: string, device: DeviceFacts): Subject {
  const field = fieldOf(name);
  switch (field.kind) {
    case 'time':
      return named(field.name, device[field.name].toISOString());
    case 'version':
      return named(field.name, device[field.name]);
    case 'count':
      return named('launchCount', Number(device.launchCount));
    case 'deviceType':
      return named('deviceType', device.deviceType);
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

/** A value of any size, for people. */
function show(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
