import type { JsonObject } from './json';
import type { PayloadFilling } from './text-with-gaps';

/** The push services that a device token can belong to. */
export const PUSH_VENDORS = ['fcm', 'apns', 'hms', 'webpush'] as const;

/** A push service that a device token can belong to. */
export type PushVendor = (typeof PUSH_VENDORS)[number];

/** Every way a device can be reached: a push service, or the device's own MQTT connection. */
export const DELIVERY_VENDORS = [...PUSH_VENDORS, 'connection'] as const;

/** A way to reach a device. */
export type DeliveryVendor = (typeof DELIVERY_VENDORS)[number];

/** Everything an application stores credentials for: the push services, and an SMS provider. */
export const CREDENTIAL_VENDORS = [...PUSH_VENDORS, 'sms'] as const;

/** Something an application stores credentials for. */
export type CredentialVendor = (typeof CREDENTIAL_VENDORS)[number];

/** Properties of every payload. */
interface PayloadUse {
  /** Made for one device: a sender need not cache what it makes of it. */
  isForOne?: true;
}

/**
 * What `libs/rendering` makes of a message for one vendor and `libs/vendors` sends. A payload contains everything
 * except what differs by device or time: the sender adds token, remaining ttl, ids and credentials. The same object may
 * be passed to the sender for many devices, and the sender may cache by its identity.
 */
export interface FcmPayload extends PayloadUse {
  vendor: 'fcm';
  /** The `message` of `projects.messages.send`, without `token` and without `android.ttl`. */
  message: JsonObject;
  /** The same in another form, for a sender that serialises the common part of many payloads once. */
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

/**
 * The outcome of one vendor call for one device. A vendor's refusal is a value, never an exception. The classes are the
 * same for every vendor, so that one place decides what follows (`decideNextStep`).
 */
export type SendOutcome =
  /** The vendor accepted it. This never means that the device showed it. */
  | { kind: 'accepted'; vendorMessageId: string | null }
  /** This token is dead. `deadSince`: the vendor's own timestamp; a token that was registered later is alive. */
  | { kind: 'token_invalid'; code: string; reason: string; deadSince?: Date }
  /** Our payload or headers are wrong: the same request will never be accepted. */
  | { kind: 'request_invalid'; code: string; reason: string }
  /** Too fast. `scope` says who must slow down: this device's token or the whole route. */
  | { kind: 'throttled'; code: string; reason: string; scope: 'route' | 'token'; retryAfterMs: number | null }
  /** The vendor did not accept it, and the same request may work later. */
  | { kind: 'retryable'; code: string; reason: string; retryAfterMs: number | null }
  /** The request was written and no answer came: the vendor may have accepted it. */
  | { kind: 'ambiguous'; code: string; reason: string }
  /** The device's token and our credentials do not belong together. One answer cannot tell which of them is wrong. */
  | { kind: 'mismatch'; code: string; reason: string }
  /** The message expired before the request was written: the vendor was not called. */
  | { kind: 'expired'; code: string; reason: string }
  /** Our credentials, project or topic are wrong: no device is at fault, and the whole route must wait. */
  | { kind: 'config'; code: string; reason: string };

/** The class of an outcome. */
export type SendOutcomeKind = SendOutcome['kind'];
