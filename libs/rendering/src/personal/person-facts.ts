import type { JsonObject } from '@postrider/domain';

/** What of a device its texts may speak of. Never its token. */
export interface DeviceFacts {
  installationId: string;
  deviceType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  locale: string | null;
  timeZone: string | null;
  /** Set for this device alone. */
  attributes: JsonObject;
  /** Every field it registered that has no place of its own. */
  registration: JsonObject;
}

/** Whom a personal message is made for. */
export interface PersonFacts {
  userId: string;
  /** The user's attributes. */
  attributes: JsonObject;
  tags: readonly string[];
  /** The values of those tags that have one. */
  tagValues: JsonObject;
  /** Null for what goes to no device (an SMS). */
  device: DeviceFacts | null;
  /** Null when they have none. */
  promoCode: string | null;
}
