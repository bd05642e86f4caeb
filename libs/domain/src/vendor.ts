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
