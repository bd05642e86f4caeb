import type { JsonObject, JsonValue } from '@postrider/domain';

/** Something that a user did, as their app tracks it. */
export interface Behavior {
  name: string;
  value: string | number | boolean | null;
  /** By the device's clock; null: now. */
  at: Date | null;
  /** What it brought in: a conversion of the message that the device opened last. */
  revenue?: { amount: number; currency: string | null } | null;
  /** What tells it from the other events of its device; null: nothing does, so that every report of it counts. */
  identity: JsonValue | null;
}

/** What is kept of an event, each as the attribute `<event>.<part>`. */
const PARTS = ['count', 'last', 'lastValue', 'sum'] as const;

/** The attributes that a tracked event changes. */
export function attributesOfEvent(name: string): string[] {
  return PARTS.map((part) => `${name}.${part}`);
}

/** A device's clock may run ahead of ours, never a report. */
function timeOf(at: Date | null, now: Date): Date {
  return at === null || at > now ? now : at;
}

/**
 * What tracked behaviour makes of a user's attributes: `<event>.count`, `.last`, and for events with a value `.lastValue` and,
 * of numbers, `.sum`.
 */
export function applyBehaviors(attributes: JsonObject, behaviors: readonly Behavior[], now: Date): JsonObject {
  const changed = new Map(Object.entries(attributes));
  const numberAt = (name: string): number => {
    const value = changed.get(name);
    return typeof value === 'number' ? value : 0;
  };
  for (const { name, value, at } of behaviors) {
    changed.set(`${name}.count`, numberAt(`${name}.count`) + 1);
    changed.set(`${name}.last`, timeOf(at, now).toISOString());
    if (value !== null) changed.set(`${name}.lastValue`, value);
    if (typeof value === 'number') changed.set(`${name}.sum`, numberAt(`${name}.sum`) + value);
  }
  return Object.fromEntries(changed);
}
