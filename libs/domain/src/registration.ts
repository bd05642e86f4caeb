import type { Channel } from './channel';
import type { JsonObject } from './json';
import type { PushVendor } from './vendor';

/** How a device can be pushed to: the vendor, the token, and the device's report about it. */
export interface VendorToken {
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
}

/**
 * The stored part of a registration: its fields, and the sort keys of its versions. Fields that were not sent are null.
 */
export interface StoredRegistration extends VendorToken {
  userId: string;
  deviceType: string | null;
  osVersion: string | null;
  osVersionKey: string | null;
  clientVersion: string | null;
  clientVersionKey: string | null;
  launchCount: number | null;
  launchTime: Date | null;
  installDate: Date | null;
  /** Memberships beside the default ones. Null leaves them unchanged (none, if the device gets another owner). */
  channels: Channel[] | null;
  /** Every other field, unchanged. */
  registration: JsonObject;
  timeZone: string | null;
  locale: string | null;
  latitude: number | null;
  longitude: number | null;
  realtime: boolean;
  protected: boolean;
}
