import type { DeliveryResponse } from '@postrider/contracts';
import type { DeliveryRecord } from '@postrider/persistence';

/** A delivery as a caller reads it, with a reason in words where nothing recorded says why it waits. */
export function showDelivery(delivery: DeliveryRecord): DeliveryResponse {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    installationId: delivery.installationId,
    userId: delivery.userId,
    state: delivery.state,
    vendor: delivery.vendor,
    vendorMessageId: delivery.vendorMessageId,
    error: delivery.errorCode,
    reason: delivery.reason ?? reasonOf(delivery),
    attempt: delivery.attempt,
    promoCode: delivery.promoCode,
    createdAt: delivery.createdAt.toISOString(),
    sentAt: time(delivery.sentAt),
    deliveredAt: time(delivery.deliveredAt),
    shownAt: time(delivery.shownAt),
    openedAt: time(delivery.openedAt),
    dismissedAt: time(delivery.dismissedAt),
    updatedAt: delivery.updatedAt.toISOString(),
  };
}

const MOMENTS = {
  quiet_hours: 'when the quiet hours end',
  local_time: 'when it is the time of day that the message is for where the device is',
} as const;

function reasonOf({ state, attempt, notBefore, waitsFor }: DeliveryRecord): string | null {
  if (state === 'cancelled') return 'The message was cancelled before it was sent to this device';
  if (state !== 'pending') return null;
  if (waitsFor !== null && notBefore !== null) return `Waits until ${notBefore.toISOString()}, ${MOMENTS[waitsFor]}`;
  if (attempt === 0) return 'Waits for its turn';
  const again = notBefore === null ? 'again soon' : `again after ${notBefore.toISOString()}`;
  return `The vendor did not take it in attempt ${attempt}; it is tried ${again}`;
}
