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
const PARTS = ['count', 'last', 'lastValue', 'sum'] as const;

/** The attributes that a tracked event changes. */
export function attributesOfEvent({ name, revenue }: Pick<Behavior, 'name' | 'revenue'>): string[] {
  const currency = revenue?.currency ?? null;
  const parts = currency === null ? PARTS : [...PARTS, `sum.${currency}`];
  return parts.map((part) => `${name}.${part}`);
}

/**
 * Adds tracked behaviour to a user's attributes: `<event>.count`, `.last` (the newest time), and for events with a
 * value or revenue `.lastValue` and, for numbers, `.sum`. Revenue is also added up by currency (`.sum.<currency>`).
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
  const isNewest = noteTime(changed, `${name}.last`, moment);
  const amount = value ?? revenue?.amount ?? null;
  if (amount !== null && (isNewest || !changed.has(`${name}.lastValue`))) changed.set(`${name}.lastValue`, amount);
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

/** @returns true if `moment` is the newest so far */
function noteTime(changed: Map<string, JsonValue>, name: string, moment: Date): boolean {
  const before = changed.get(name);
  const isNewest = typeof before !== 'string' || !(Date.parse(before) > moment.getTime());
  if (isNewest) changed.set(name, moment.toISOString());
  return isNewest;
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

/** False for parts of events that are called `<event>.sum` or `<event>.sum.x`. */
function isCurrency(part: string): boolean {
  return !part.includes('.') && !(PARTS as readonly string[]).includes(part);
}
