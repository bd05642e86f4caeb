/** Why a device is not sent to: a word to count by and a sentence to read. */
export interface SkipReason {
  errorCode: 'installation_removed' | 'user_changed' | 'user_not_proved' | 'token_removed' | 'no_code';
  reason: string;
}

/** The installation is gone. */
export const REMOVED: SkipReason = { errorCode: 'installation_removed', reason: 'The installation was removed' };

/** Somebody else holds the device. */
export const CHANGED_HANDS: SkipReason = {
  errorCode: 'user_changed',
  reason: 'The device has belonged to another user since the message was accepted',
};
