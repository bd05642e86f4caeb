import { addDecimals, type JsonObject, type JsonValue } from '@postrider/domain';

/** Something that a user did, tracked by their app or the application's backend. */
export interface Behavior {
  name: string;
  value: string | number | boolean | null;
  /** By the clock of the reporter. Null: now. */
  at: Date | null;
  /** The revenue: it makes the event a conversion of the message that was opened last. */
  revenue?: { amount: number; currency: string | null } | null;
}

/** The same, as a device reports it. */
export interface ReportedBehavior extends Behavior {
  /** What distinguishes it from the other events of its device. Null: nothing, so every report of it counts. */
  identity: JsonValue | null;
}

/** The parts that are kept of an event, each as the attribute `<event>.<part>`. */
const PARTS = ['count', 'last', 'lastValue', 'lastValueAt', 'sum'] as const;

/** The attributes that a tracked event changes. */
export function attributesOfEvent({ name, revenue }: Pick<Behavior, 'name' | 'revenue'>): string[] {
  const currency = revenue?.currency ?? null;
  const parts = currency === null ? PARTS : [...PARTS, `sum.${currency}`];
  return parts.map((part) => `${name}.${part}`);
}

/**
 * Adds tracked behaviour to a user's attributes: `<event>.count`, `.last` (the newest time), and for events with a
 * value or revenue `.lastValue` and, for numbers, `.sum`. `.lastValueAt` is kept only while `.last` is the time of an
 * event without a value. Revenue is also added up by currency (`.sum.<currency>`).
 * From the second currency on there is no `.sum`, because amounts of different currencies cannot be added.
 *
 * @param latest later times count as this time; null: no limit
 */
export function applyBehaviors(
  attributes: JsonObject,
  behaviors: readonly Behavior[],
  { now, latest }: { now: Date; latest: Date | null },
): JsonObject {
  const changed = new Map(Object.entries(attributes));
  for (const behavior of behaviors) {
    const reported = behavior.at ?? now;
    apply(changed, behavior, latest !== null && reported > latest ? latest : reported);
  }
  return Object.fromEntries(changed);
}

function apply(changed: Map<string, JsonValue>, { name, value, revenue }: Behavior, moment: Date): void {
  add(changed, `${name}.count`, 1);
  const valueAt = timeOfValue(changed, name);
  noteTime(changed, `${name}.last`, moment);
  const amount = value ?? revenue?.amount ?? null;
  if (amount === null || (valueAt !== null && valueAt > moment.getTime())) noteTimeOfValue(changed, name, valueAt);
  else {
    changed.set(`${name}.lastValue`, amount);
    noteTimeOfValue(changed, name, moment.getTime());
  }
  addToSums(changed, name, revenue, amount);
}

function addToSums(
  changed: Map<string, JsonValue>,
  name: string,
  revenue: Behavior['revenue'],
  amount: Behavior['value'],
): void {
  if (revenue && revenue.currency !== null) add(changed, `${name}.sum.${revenue.currency}`, revenue.amount);
  if (hasSeveralCurrencies(changed, name, revenue)) changed.delete(`${name}.sum`);
  else if (typeof amount === 'number') add(changed, `${name}.sum`, amount);
}

/** The time of the event that `.lastValue` is from. Null: there is none, or its time is not known. */
function timeOfValue(changed: Map<string, JsonValue>, name: string): number | null {
  if (!changed.has(`${name}.lastValue`)) return null;
  return timeIn(changed, `${name}.lastValueAt`) ?? timeIn(changed, `${name}.last`);
}

function noteTimeOfValue(changed: Map<string, JsonValue>, name: string, valueAt: number | null): void {
  if (valueAt === null || valueAt === timeIn(changed, `${name}.last`)) changed.delete(`${name}.lastValueAt`);
  else changed.set(`${name}.lastValueAt`, new Date(valueAt).toISOString());
}

/** Keeps the newest time. */
function noteTime(changed: Map<string, JsonValue>, name: string, moment: Date): void {
  const before = timeIn(changed, name);
  if (before === null || before <= moment.getTime()) changed.set(name, moment.toISOString());
}

/** The time in an attribute. Null: it holds no time. */
function timeIn(changed: Map<string, JsonValue>, name: string): number | null {
  const value = changed.get(name);
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Adds to a number. A value that is not a number counts as 0. A sum that no number can hold does not change. */
function add(changed: Map<string, JsonValue>, name: string, amount: number): void {
  const before = changed.get(name);
  const sum = addDecimals(typeof before === 'number' ? before : 0, amount);
  if (Number.isFinite(sum)) changed.set(name, sum);
}

/** Called only if there is no `.sum` yet, or a currency is new, because a user may have a thousand attributes. */
function hasSeveralCurrencies(changed: Map<string, JsonValue>, name: string, revenue: Behavior['revenue']): boolean {
  if (changed.has(`${name}.sum`) && (revenue?.currency ?? null) === null) return false;
  const prefix = `${name}.sum.`;
  let currencies = 0;
  for (const key of changed.keys()) if (key.startsWith(prefix) && isCurrency(key.slice(prefix.length))) currencies += 1;
  return currencies > 1;
}

/** True for the name of a currency; false for parts of events that are called `<event>.sum` or `<event>.sum.x`. */
function isCurrency(part: string): boolean {
  return !part.includes('.') && !(PARTS as readonly string[]).includes(part);
}
