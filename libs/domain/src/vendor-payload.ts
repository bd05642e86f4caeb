import type { JsonObject } from './json';
import type { PayloadFilling } from './text-with-gaps';

/** What every payload may say of itself. */
interface PayloadUse {
  /** Made for one device: what a sender makes of it is not worth keeping. */
  isForOne?: true;
}

/**
 * What `libs/rendering` makes of a message for one vendor and what `libs/vendors` puts on the wire. A payload holds
 * everything but what differs by device or by the moment of sending: token, remaining ttl, ids and credentials are added by
 * the sender. The same object may be handed to the sender for many devices, and the sender may cache by its identity.
 */
export interface FcmPayload extends PayloadUse {
  vendor: 'fcm';
  /** The `message` of `projects.messages.send`, without `token` and without `android.ttl`. */
  message: JsonObject;
  /** The same once more, for a sender that serialises what many payloads have in common once. */
  filling?: PayloadFilling<FcmPayload>;
}

/** The body and the message-dependent headers of an APNs request. */
export interface ApnsPayload extends PayloadUse {
  vendor: 'apns';
  /** The JSON body: `aps` and the custom keys beside it. */
  body: JsonObject;
  pushType: 'alert' | 'background';
  priority: 10 | 5;
  /** At most 64 bytes. */
  collapseId?: string;
  /** As in `FcmPayload`. */
  filling?: PayloadFilling<ApnsPayload>;
}

/** A Huawei Push Kit v1/v2 `message`, without `token` and without `android.ttl`. */
export interface HmsPayload extends PayloadUse {
  vendor: 'hms';
  message: JsonObject;
}

/** The plaintext of a Web Push message and its urgency. */
export interface WebPushPayload extends PayloadUse {
  vendor: 'webpush';
  body: JsonObject;
  urgency: 'very-low' | 'low' | 'normal' | 'high';
}

/** A payload for any push service. */
export type VendorPayload = FcmPayload | ApnsPayload | HmsPayload | WebPushPayload;
