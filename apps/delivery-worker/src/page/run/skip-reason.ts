import { CHANGED_HANDS, type PushVendor, REMOVED, type SkipReason } from '@postrider/domain';
import type { PageDevice } from '@postrider/persistence';

/** The failure of the devices on a page that was given up. */
export const WORKER_LOST = {
  errorCode: 'worker_lost',
  reason: 'Three workers died while they processed this device, the last one with no other device',
};
/** The sender of the registration is not proved to be the user: the application requires a proof (`userHash`). */
const NOT_PROVED: SkipReason = {
  errorCode: 'user_not_proved',
  reason: 'The device has not proved its user, which the application requires',
};

/** The application chose to send nothing rather than send without a code. */
export const NO_CODE: SkipReason = {
  errorCode: 'no_code',
  reason: 'Every promo code was given away before this user could get one',
};

/**
 * Returns why a device that was put on a page must not be sent to any more, or null: it may be gone, have a new owner,
 * not be proved to be its user's, or have no usable token by now.
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
