/**
 * The states of a delivery (one message to one installation). A delivery only moves forward:
 * `pending → sent → delivered → shown → opened`, `dismissed` beside `opened`, or it ends as `failed`, `expired`, `skipped`
 * or `cancelled`.
 */
export const DELIVERY_STATES = [
  'pending',
  'sent',
  'delivered',
  'shown',
  'dismissed',
  'opened',
  'failed',
  'expired',
  'skipped',
  'cancelled',
] as const;

/** A state of a delivery. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const RANK: Record<DeliveryState, number> = {
  pending: 0,
  failed: 1,
  expired: 1,
  skipped: 1,
  cancelled: 1,
  sent: 2,
  delivered: 3,
  shown: 4,
  dismissed: 5,
  opened: 6,
};

/**
 * The rank of a state. A delivery may only change to a state of a higher rank. The endings (`failed`, `expired`, …)
 * rank below `sent`, because a receipt proves that the device has the message, whatever the vendor answered before.
 */
export function deliveryStateRank(state: DeliveryState): number {
  return RANK[state];
}

/** What a device can report about a message. `action`: a button; `link`: an opened link. */
export type ReceiptKind = 'delivered' | 'shown' | 'dismissed' | 'opened' | 'action' | 'link';

/** The state that each kind of receipt proves. Null: none, because links are forwarded to others. */
export const STATE_PROVED_BY = {
  delivered: 'delivered',
  shown: 'shown',
  dismissed: 'dismissed',
  opened: 'opened',
  action: 'opened',
  link: null,
} as const satisfies Record<ReceiptKind, DeliveryState | null>;

/** Why a device is not sent to: a code to count by and a sentence to read. */
export interface SkipReason {
  errorCode:
    'installation_removed' | 'user_changed' | 'user_not_proved' | 'token_removed' | 'no_code' | 'frequency_capped';
  reason: string;
}

/** The installation is gone. */
export const REMOVED: SkipReason = { errorCode: 'installation_removed', reason: 'The installation was removed' };

/** The device has another owner. */
export const CHANGED_HANDS: SkipReason = {
  errorCode: 'user_changed',
  reason: 'The device has belonged to another user since the message was accepted',
};
