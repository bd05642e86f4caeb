import type { SendOutcome } from '@postrider/domain';

/** When a message ends. */
export interface MessageEnd {
  /** The moment the message expires. */
  readonly expiresAt: Date;
  /**
   * The moment, in milliseconds since 1970, from which no vendor is asked to deliver it any more: its expiry, or a little
   * later for a message that is sent now or never.
   */
  readonly lastCallAt: number;
}

/** The outcome of a request that was not written, because its message had expired by then. */
export const EXPIRED: SendOutcome = {
  kind: 'expired',
  code: 'EXPIRED',
  reason: 'The message expired before it could be handed to the vendor',
};

/** Whole seconds that remain of a message's life; 0: now or never. */
export function ttlSecondsAt(now: number, { expiresAt }: Pick<MessageEnd, 'expiresAt'>): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - now) / 1_000));
}
