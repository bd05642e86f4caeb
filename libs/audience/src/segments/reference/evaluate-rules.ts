import type { JsonValue } from '@postrider/domain';
import type { Condition, Group, Place, Rule, Scalar } from '../language/rule';
import { compareText, compareTyped } from './compare-typed';
import type { ReferenceDevice } from './reference-device';
import { greatCircleMetres } from './reference-distance';
import { referenceMoment, referenceMomentOrAge } from './reference-moment';
import { compareVersions } from './reference-version';

/** Where two values stand: below zero, zero, above zero; null when they cannot be compared. */
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

/** The oracle of the tests: whether a device matches, by the plainest reading of the rules. */
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

/** A moment when the operator asks for one, or the value is ISO 8601. */
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

/** An array is asked for each of its elements, and for equality only. */
function customOrders(field: JsonValue | undefined, operator: string, value: Scalar, now: Date): Order[] {
  const moment = momentOf(value, operator, now);
  const order = (one: JsonValue): Order =>
    moment === null ? compareTyped(one, value) : compareTyped(referenceMoment(one), moment);
  if (!Array.isArray(field)) return field === undefined ? [] : [order(field)];
  return operator === 'equal_to' || operator === 'include' ? field.map(order) : [];
}
