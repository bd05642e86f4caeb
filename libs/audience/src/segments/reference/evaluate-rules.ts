import type { JsonObject, JsonValue } from '@postrider/domain';
import type { Condition, Group, Place, Rule, Scalar } from '../language/rule';

/** A device in the form that the evaluator needs: plain values, nothing prepared for a database. */
export interface ReferenceDevice {
  userId: string;
  deviceType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  launchCount: number;
  launchTime: Date;
  installDate: Date;
  tags: string[];
  tagValues: Record<string, string>;
  isOnline: boolean;
  location: { lat: number; lng: number } | null;
  /** The device's own attributes, its user's, and registration fields that are not built in. */
  attributes: JsonObject;
  userAttributes: JsonObject;
  registration: JsonObject;
}

type Part = bigint | string;

/** A version as numbers and the parts of its pre-release. Null without a digit. */
function read(text: string): { numbers: bigint[]; preRelease: Part[] | null } | null {
  const [found] = /\d[^]*/.exec(text) ?? [];
  if (found === undefined) return null;
  const [numbers = ''] = /^\d+(\.\d+)*/.exec(found) ?? [];
  const [, preRelease] = /^-([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)/.exec(found.slice(numbers.length)) ?? [];
  const parts = preRelease?.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : part));
  return { numbers: numbers.split('.').map(BigInt), preRelease: parts ?? null };
}

function comparePreReleases(a: Part[], b: Part[]): number {
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (typeof part !== typeof other) return typeof part === 'bigint' ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return a.length - b.length;
}

function compareNumbers(a: bigint[], b: bigint[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0n) - (b[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  return 0;
}

/** Negative if `one` comes before `other`, zero if they are equal, null if either is not a version. */
function compareVersions(one: string | null, other: string): number | null {
  const [a, b] = [one === null ? null : read(one), read(other)];
  if (!a || !b) return null;
  const release = compareNumbers(a.numbers, b.numbers);
  if (release !== 0) return release;
  if (!a.preRelease || !b.preRelease) return Number(!a.preRelease) - Number(!b.preRelease);
  return comparePreReleases(a.preRelease, b.preRelease);
}

/** The order of two values: negative, zero or positive. Null if they cannot be compared. */
type Order = number | null;

const HOLDS: Record<string, (order: number) => boolean> = {
  equal_to: (order) => order === 0,
  include: (order) => order === 0,
  lesser_than: (order) => order < 0,
  lesser_equals: (order) => order <= 0,
  greater_than: (order) => order > 0,
  greater_equals: (order) => order >= 0,
  before: (order) => order < 0,
  after: (order) => order > 0,
};

/** The oracle of the tests: evaluates the rules for a device in the most direct way. */
export function evaluateRules(group: Group, device: ReferenceDevice, now: Date): boolean {
  return (
    (group.all ?? []).every((condition) => evaluate(condition, device, now)) &&
    (group.any === undefined || group.any.some((condition) => evaluate(condition, device, now))) &&
    !(group.none ?? []).some((condition) => evaluate(condition, device, now))
  );
}

function evaluate(condition: Condition, device: ReferenceDevice, now: Date): boolean {
  if (condition.kind === 'group') return evaluateRules(condition, device, now);
  const { operator } = condition;
  const positive = operator === 'not_equal' ? 'equal_to' : operator === 'not_include' ? 'include' : operator;
  const holds =
    condition.kind === 'place'
      ? isNear(condition.place, device)
      : condition.values.some((value) => holdsForValue({ ...condition, operator: positive }, value, device, now));
  return positive === operator ? holds : !holds;
}

function isNear(place: Place, device: ReferenceDevice): boolean {
  return device.location !== null && greatCircleMetres(place, device.location) <= place.radiusMetres + 1e-6;
}

function holdsForValue(rule: Rule, value: Scalar, device: ReferenceDevice, now: Date): boolean {
  const orders = isBuiltIn(rule.name)
    ? [builtInOrder(rule.name, rule.operator, value, device, now)]
    : rule.name.startsWith('tags.')
      ? [tagValueOrder(device.tagValues[rule.name.slice('tags.'.length)], rule.operator, value, now)]
      : customOrders(customField(rule.name, device), rule.operator, value, now);
  return orders.some((order) => order !== null && HOLDS[rule.operator]?.(order) === true);
}

function isBuiltIn(name: string): boolean {
  return [
    'installDate',
    'launchTime',
    'launchCount',
    'tags',
    'deviceType',
    'clientVersion',
    'osVersion',
    'online',
  ].includes(name);
}

function builtInOrder(name: string, operator: string, value: Scalar, device: ReferenceDevice, now: Date): Order {
  switch (name) {
    case 'launchTime':
    case 'installDate':
      return timeOrder(device[name], operator, value, now);
    case 'launchCount':
      return device.launchCount - Number(value);
    case 'tags':
      return equalOrder(device.tags.includes(String(value)));
    case 'online':
      return equalOrder(device.isOnline === value);
    case 'deviceType':
      return equalOrder(device.deviceType?.toLowerCase() === String(value).toLowerCase());
    default:
      return compareVersions(device[name as 'clientVersion' | 'osVersion'], String(value));
  }
}

function equalOrder(isEqual: boolean): Order {
  return isEqual ? 0 : null;
}

function timeOrder(time: Date, operator: string, value: Scalar, now: Date): Order {
  const moment = momentOf(value, operator, now);
  return moment === null ? null : time.getTime() * 1000 - moment;
}

/** A moment if the operator needs one, or the value is ISO 8601. */
function momentOf(value: Scalar, operator: string, now: Date): number | null {
  if (operator === 'before' || operator === 'after') return referenceMomentOrAge(String(value), now);
  return referenceMoment(value);
}

function tagValueOrder(text: string | undefined, operator: string, value: Scalar, now: Date): Order {
  if (text === undefined) return null;
  if (typeof value === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) - value : null;
  const moment = momentOf(value, operator, now);
  if (moment !== null) return compareTyped(referenceMoment(text), moment);
  return typeof value === 'string' ? compareText(text, value) : null;
}

function customField(name: string, device: ReferenceDevice): JsonValue | undefined {
  const sources = [device.attributes, device.userAttributes, { ...device.registration, userId: device.userId }];
  for (const source of sources) {
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** An array matches if one of its elements does, and for equality only. */
function customOrders(field: JsonValue | undefined, operator: string, value: Scalar, now: Date): Order[] {
  const moment = momentOf(value, operator, now);
  const order = (one: JsonValue): Order =>
    moment === null ? compareTyped(one, value) : compareTyped(referenceMoment(one), moment);
  if (!Array.isArray(field)) return field === undefined ? [] : [order(field)];
  return operator === 'equal_to' || operator === 'include' ? field.map(order) : [];
}

/** Compares by code points, which `<` on JavaScript's UTF-16 does not. */
function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8'));
}

/** Compares two scalars of one type. Null if their types differ, or they are not scalars. */
function compareTyped(one: unknown, other: unknown): number | null {
  if (typeof one === 'number' && typeof other === 'number') return one === other ? 0 : one < other ? -1 : 1;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  if (typeof one === 'boolean' && typeof other === 'boolean') return one === other ? 0 : null;
  return null;
}

type Point = { lat: number; lng: number };

function unitVector({ lat, lng }: Point): [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** Metres along the great circle, on a sphere of 6,371 km, by the angle between two vectors. */
export function greatCircleMetres(one: Point, other: Point): number {
  const [a, b] = [unitVector(one), unitVector(other)];
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return 6_371_000 * Math.atan2(Math.hypot(...cross), dot);
}

const FORM =
  /^(?<date>\d\d\d\d-\d\d-\d\d)(T(?<time>\d\d:\d\d(:\d\d)?)(?<fraction>(?<=:\d\d:\d\d)\.\d{1,9})?(?<offset>Z|[+-](0\d|1[0-5]):[0-5]\d)?)?$/;

/** Microseconds since 1970 of an ISO 8601 text, or null. A date that the calendar changes is not valid. */
export function referenceMoment(text: unknown): number | null {
  const parts = typeof text === 'string' ? FORM.exec(text)?.groups : undefined;
  if (!parts || parts.date?.startsWith('0000')) return null;
  const local = `${parts.date}T${(parts.time ?? '00:00').padEnd(8, ':00')}.000Z`;
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== local) return null;
  return moment.getTime() * 1000 - offsetMicros(parts.offset) + Math.round(Number(`0${parts.fraction ?? ''}`) * 1e6);
}

function offsetMicros(offset = 'Z'): number {
  if (offset === 'Z') return 0;
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60e6;
}

/** Microseconds since 1970 of `6h`, `30m`, `2d` ago, or of an ISO 8601 text. */
function referenceMomentOrAge(text: string, now: Date): number | null {
  const age = /^(\d+(?:\.\d+)?)([mhd])$/.exec(text);
  if (!age) return referenceMoment(text);
  const minutes = Number(age[1]) * { m: 1, h: 60, d: 1440 }[age[2] as 'd' | 'h' | 'm'];
  return now.getTime() * 1000 - Math.round(minutes * 60e6);
}
