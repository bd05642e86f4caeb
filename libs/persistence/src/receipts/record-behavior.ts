import { DomainError, type JsonObject, type JsonValue } from '@postrider/domain';
import { type Database, type Executor } from '../database/executor';
import { inRetriedTransaction } from '../database/retried-transaction';
import { checkAttributes } from '../users/check-attributes';
import { type UserOfDevice, UsersRepository } from '../users/users.repository';
import { recordConversions } from './record-conversions.query';
import { rememberEvents } from './remember-events.query';

/** Something that a user did, as his app tracks it. */
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

/**
 * Records tracked behaviour: the attributes of the device's user, and conversions. All of it or nothing. A report that
 * comes again counts once; a conversion with the same name and time does so for as long as its message is kept.
 *
 * @param isProved whether the report itself shows the user's hash; a device that registered with it has proved its user too
 * @throws InvalidRequest when the user would have too many attributes; DomainError FORBIDDEN for a protected one
 */
export async function recordBehavior(
  database: Database,
  device: { appId: string; deviceId: string; userId: string },
  behaviors: readonly Behavior[],
  now: Date,
  isProved = false,
): Promise<void> {
  if (behaviors.length === 0) return;
  const { appId, deviceId, userId } = device;
  const users = new UsersRepository(database);
  await inRetriedTransaction(database, async (executor: Executor) => {
    const user = await users.lockOfDevice(executor, device);
    if (!user) return;
    if (!isProved) checkUnprotected(user, behaviors);
    // The lock on the user's attributes keeps two reports of one event apart.
    const isNew = await rememberEvents(executor, { ...device, today: user.today }, behaviors);
    const counted = behaviors.filter((_, index) => isNew[index]);
    if (counted.length > 0) {
      const changed = checkAttributes(applyBehaviors(user.attributes, counted, now));
      await users.saveAttributes(executor, appId, userId, changed);
    }
    const conversions = behaviors.flatMap(({ name, at, revenue }) =>
      revenue ? [{ name, reportedAt: at ?? now, ...revenue }] : [],
    );
    if (conversions.length > 0) await recordConversions(executor, { appId, deviceId }, conversions, now);
  });
}

/** What is kept of an event, each as the attribute `<event>.<part>`. */
const PARTS = ['count', 'last', 'lastValue', 'sum'] as const;

function checkUnprotected({ isProved, protectedAttributes }: UserOfDevice, behaviors: readonly Behavior[]): void {
  if (isProved) return;
  const refused = behaviors.find(({ name }) => PARTS.some((part) => protectedAttributes.includes(`${name}.${part}`)));
  if (refused) throw new DomainError('FORBIDDEN', `Only a device that proved its user reports ${refused.name}`);
}

/** A device's clock may run ahead of ours, never a report. */
function timeOf(at: Date | null, now: Date): Date {
  return at === null || at > now ? now : at;
}

/**
 * What tracked behaviour makes of a user's attributes: `<event>.count`, `.last`, and for events with a value `.lastValue` and,
 * of numbers, `.sum` (device-protocol, events).
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
