import { CHANGED_HANDS, type PushVendor, REMOVED, type SkipReason } from '@postrider/domain';
import type { PageDevice } from '@postrider/persistence';

/** The failure of the devices of a page that was given up. */
export const WORKER_LOST = {
  errorCode: 'worker_lost',
  reason: 'Three workers died while they worked on this device, the last one on nothing else',
};
/** Whoever registered the device may only claim to be the user: the application requires a proof (`userHash`). */
export const NOT_PROVED: SkipReason = {
  errorCode: 'user_not_proved',
  reason: 'The device has not proved its user, which the application requires',
};

/** The application would rather send nothing than send without a code. */
export const NO_CODE: SkipReason = {
  errorCode: 'no_code',
  reason: 'Every promo code was given away before this user could get one',
};

/**
 * Whether a device that was put on a page must not be sent to any more: it may be gone, in other hands, not proved to be its
 * user's, or without a usable token by now.
 */
export function skipReason(device: PageDevice, vendor: PushVendor): SkipReason | null {
  if (device.installationId === null) return REMOVED;
  if (device.hasChangedHands === true) return CHANGED_HANDS;
  if (device.isProved === false) return NOT_PROVED;
  if (device.token === null) {
    return { errorCode: 'token_removed', reason: `The device has no usable ${vendor} token any more` };
  }
  return null;
}
