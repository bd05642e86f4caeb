import type { DeliveryState } from './delivery-state';

/**
 * The states of a fallback (one message's SMS to one user).
 * - `waiting`: its time has not come, or the provider is asked again later; `sending`: a provider is being asked
 * - `sent`: the provider took it; `delivered`, `undelivered`: what the provider reported after that
 * - `unknown`: a provider was asked and nobody knows whether it took it; sent again when the provider says that it never had
 *   it, or the application chose so
 * - `confirmed`: not needed, a device confirmed the message first
 * - `failed`, `no_phone`, `expired`, `cancelled`: why there is none
 */
export const FALLBACK_STATES = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'unknown',
  'confirmed',
  'failed',
  'no_phone',
  'expired',
  'cancelled',
] as const;

/** A state of a fallback. */
export type FallbackState = (typeof FALLBACK_STATES)[number];

/** What a provider can report about an SMS. */
export type SmsStatus = 'sent' | 'delivered' | 'undelivered' | 'failed';

/**
 * For each status, the states that a provider's report may change. A report may come early (before our own record of
 * the sending), late, twice or out of order. `delivered` overrides everything, because only it is proof.
 */
export const FALLBACK_STATES_BEFORE: Readonly<Record<SmsStatus, readonly FallbackState[]>> = {
  sent: ['waiting', 'sending', 'unknown'],
  failed: ['waiting', 'sending', 'unknown', 'sent'],
  undelivered: ['waiting', 'sending', 'unknown', 'sent'],
  delivered: ['waiting', 'sending', 'unknown', 'sent', 'undelivered', 'failed'],
};

/**
 * The state from which a user's delivery confirms its message, so that no fallback is needed: usually `delivered`;
 * `shown` under the policy `SHOWN`.
 */
export const CONFIRMING_STATES = { usual: 'delivered', SHOWN: 'shown' } as const satisfies Record<
  string,
  DeliveryState
>;
