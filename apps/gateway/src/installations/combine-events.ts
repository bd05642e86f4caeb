import type { AttributeChange, DeviceEvent, ReceiptState } from '@postrider/contracts';
import { deliveryStateRank, type JsonObject } from '@postrider/domain';
import type { LinkOpen, Receipts } from '@postrider/persistence';

type Events<Type extends DeviceEvent['type']> = readonly Extract<DeviceEvent, { type: Type }>[];

const TIME_OF: Record<ReceiptState, 'deliveredAt' | 'shownAt' | 'openedAt' | 'dismissedAt'> = {
  delivered: 'deliveredAt',
  shown: 'shownAt',
  opened: 'openedAt',
  dismissed: 'dismissedAt',
};

/** A device's clock may run ahead of ours, never a report. */
function timeOf(at: Date | null, now: Date): Date {
  return at === null || at > now ? now : at;
}

/** All receipts about one message as one: the furthest state, and the first time of each. */
export function combineReceipts(events: Events<'receipt'>, now: Date): Receipts[] {
  const byMessage = new Map<string, Receipts>();
  for (const { messageId, state, at } of events) {
    if (messageId === '') continue;
    const rank = deliveryStateRank(state);
    const times = { deliveredAt: null, shownAt: null, openedAt: null, dismissedAt: null };
    const receipts = byMessage.get(messageId) ?? { messageId, state, rank, ...times };
    const time = timeOf(at, now);
    const known = receipts[TIME_OF[state]];
    if (known === null || time < known) receipts[TIME_OF[state]] = time;
    byMessage.set(messageId, rank > receipts.rank ? { ...receipts, state, rank } : receipts);
  }
  return [...byMessage.values()];
}

/** Links with the moment at which each was opened. */
export function linkOpens(events: Events<'link'>, now: Date): LinkOpen[] {
  return events.map(({ link, at }) => ({ link, openedAt: timeOf(at, now) }));
}

/**
 * What tracked behaviour makes of a user's attributes: `<event>.count`, `.last`, and for events with a value `.lastValue` and,
 * of numbers, `.sum` (device-protocol, events).
 */
export function behaviorChanges(attributes: JsonObject, events: Events<'behavior'>, now: Date): AttributeChange[] {
  const changes = new Map<string, string | number | boolean>();
  const numberAt = (name: string): number => {
    const value = changes.get(name) ?? attributes[name];
    return typeof value === 'number' ? value : 0;
  };
  for (const { name, value, at } of events) {
    changes.set(`${name}.count`, numberAt(`${name}.count`) + 1);
    changes.set(`${name}.last`, timeOf(at, now).toISOString());
    if (value !== null) changes.set(`${name}.lastValue`, value);
    if (typeof value === 'number') changes.set(`${name}.sum`, numberAt(`${name}.sum`) + value);
  }
  return [...changes].map(([name, value]) => ({ name, operation: 'set', value }));
}
