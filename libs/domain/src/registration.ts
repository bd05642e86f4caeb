import type { Channel } from './channel';
import type { JsonObject } from './json';
import type { PushVendor } from './vendor';

/** A device's way to be pushed to: which vendor, which token, and what the device says of it. */
export interface VendorToken {
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
}

/** What is stored of a registration: its fields, and the sort keys of its versions. What was not sent is null. */
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
  /** Memberships beside the default ones. Null leaves them as they are (none, when the device gets another owner). */
  channels: Channel[] | null;
  /** Every other field, as it came. */
  registration: JsonObject;
  timeZone: string | null;
  locale: string | null;
  latitude: number | null;
  longitude: number | null;
  realtime: boolean;
  protected: boolean;
}
