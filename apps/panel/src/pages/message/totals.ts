import { type DeliveryState, HOUR_MS, MINUTE_MS } from '@postrider/domain';
import type { MessageResponse } from '@postrider/server/document';

/** A step of the way from the audience to an opened message, and how many devices came at least so far. */
export interface FunnelStep {
  name: string;
  count: number;
  explanation: string;
}

/** States that a device has been through when it is in the one named: states are disjoint, steps are not. */
const REACHED = {
  sent: ['sent', 'delivered', 'shown', 'dismissed', 'opened'],
  delivered: ['delivered', 'shown', 'dismissed', 'opened'],
  shown: ['shown', 'dismissed', 'opened'],
  opened: ['opened'],
} as const satisfies Record<string, readonly DeliveryState[]>;

/** Returns how far the devices of a message came; the first step is its audience. */
export function funnelOf({
  totals,
  recipients,
}: Pick<MessageResponse, 'totals' | 'recipients'>): [FunnelStep, ...FunnelStep[]] {
  return [
    { name: 'Recipients', count: recipients, explanation: 'all devices of the audience' },
    { name: 'Sent', count: sumOf(totals, REACHED.sent), explanation: 'a vendor accepted it' },
    { name: 'Delivered', count: sumOf(totals, REACHED.delivered), explanation: 'the device confirmed it' },
    { name: 'Shown', count: sumOf(totals, REACHED.shown), explanation: 'the device showed it' },
    { name: 'Opened', count: sumOf(totals, REACHED.opened), explanation: 'the user opened it' },
  ];
}

/** Returns how many devices are in one of `states`. */
export function sumOf(totals: Partial<MessageResponse['totals']>, states: readonly DeliveryState[]): number {
  return states.reduce((sum, state) => sum + (totals[state] ?? 0), 0);
}

/** The share of the recipients that have an outcome, 0 to 1; 0 for a message without recipients yet. */
export function progressOf(message: Pick<MessageResponse, 'totals' | 'recipients' | 'status'>): number {
  const { totals, recipients } = message;
  if (recipients === 0) return isUnderWay(message) ? 0 : 1;
  return (recipients - totals.pending) / recipients;
}

/** True if something may still happen to a message, so that it is worth looking again. */
export function isUnderWay({ status }: Pick<MessageResponse, 'status'>): boolean {
  return status !== 'done' && status !== 'cancelled';
}

/**
 * Returns a mark that the rest of a message's page follows, so that its numbers are of one moment. While the message is
 * under way, the totals change all the time: then the rest is read as often as it can be.
 */
export function markOf(message: Pick<MessageResponse, 'status' | 'totals'>): string {
  return isUnderWay(message) ? message.status : JSON.stringify([message.status, message.totals]);
}

/** Errors of devices that were not skipped: a device that was skipped has its reason. */
export function errorsOf({ errors, skipped }: Pick<MessageResponse, 'errors' | 'skipped'>): Record<string, number> {
  const left = Object.entries(errors).map(([code, count]) => [code, count - (skipped[code] ?? 0)] as const);
  return Object.fromEntries(left.filter(([, count]) => count > 0));
}

/** States of devices that a message was not sent to because it ended before. */
const ENDED_BEFORE = ['cancelled', 'expired'] as const satisfies readonly DeliveryState[];

/**
 * Returns how many devices a message was not sent to, by reason: why devices were skipped, and `cancelled` and `expired`
 * for those that it ended before. Together they are the devices of these states in the totals.
 */
export function unsentOf(message: Pick<MessageResponse, 'totals' | 'byVendor' | 'skipped' | 'skippedByVendor'>): {
  reasons: Record<string, number>;
  byVendor: Record<string, Record<string, number>>;
} {
  const { totals, byVendor, skipped, skippedByVendor } = message;
  const vendors = new Set([...Object.keys(byVendor), ...Object.keys(skippedByVendor)]);
  return {
    reasons: { ...skipped, ...endedBefore(totals) },
    byVendor: Object.fromEntries(
      [...vendors].map((vendor) => [vendor, { ...skippedByVendor[vendor], ...endedBefore(byVendor[vendor] ?? {}) }]),
    ),
  };
}

function endedBefore(totals: Partial<MessageResponse['totals']>): Record<string, number> {
  return Object.fromEntries(
    ENDED_BEFORE.flatMap((state) => ((totals[state] ?? 0) > 0 ? [[state, totals[state] ?? 0]] : [])),
  );
}

const FIRST_MS = 1_000;
const SLOWEST_MS = 10_000;
const LATE_MS = 15_000;
/** Messages that vendors had in hand when the message ended or was cancelled are counted within this time. */
const SETTLING_MS = MINUTE_MS;
const SETTLING_LOOK_MS = 2_000;
const LATE_FOR_MS = HOUR_MS;

/**
 * Returns when to read a message again: one that waits for its time then, or earlier; every second once it leaves, slower
 * the longer it takes; once it is done or cancelled, every other second for a minute, then a quarter of a minute apart for
 * an hour, because devices still report.
 * @returns false: there is nothing to wait for
 */
export function nextLookMs(
  message: Pick<MessageResponse, 'status' | 'acceptedAt' | 'startsAt' | 'doneAt' | 'cancelledAt'>,
  now: number,
): number | false {
  if (isUnderWay(message)) {
    const age = now - Date.parse(message.startsAt);
    return Math.min(SLOWEST_MS, age < 0 ? Math.max(FIRST_MS, -age) : FIRST_MS + Math.max(0, age - MINUTE_MS) / 60);
  }
  const ended = Date.parse(message.cancelledAt ?? message.doneAt ?? message.acceptedAt);
  if (now - ended < SETTLING_MS) return SETTLING_LOOK_MS;
  return now - ended < LATE_FOR_MS ? LATE_MS : false;
}
