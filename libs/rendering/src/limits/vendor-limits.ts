import type { PushVendor } from '@postrider/domain';

/** Bytes that a payload may take at each vendor, as `measurePayload` counts them. */
export const VENDOR_LIMITS: Readonly<Record<PushVendor, number>> = {
  fcm: 4_096,
  apns: 4_096,
  hms: 4_096,
  // RFC 8291 §4: one record of 4,096 bytes less salt, key and padding.
  webpush: 3_993,
};
