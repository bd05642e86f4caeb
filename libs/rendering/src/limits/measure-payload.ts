import type { JsonObject, JsonValue, VendorPayload } from '@postrider/domain';

/** Room for what the sender adds to an HMS body: `"ttl":"1296000s",` and `"token":[]`. */
const HMS_ADDED_BYTES = 64;

/** How many bytes of the vendor's limit a payload takes; never fewer than the vendor counts. */
export function measurePayload(payload: VendorPayload): number {
  switch (payload.vendor) {
    case 'fcm':
      return measureFcm(payload.message);
    case 'hms':
      return bytes({ message: payload.message }) + HMS_ADDED_BYTES;
    case 'apns':
    case 'webpush':
      return bytes(payload.body);
  }
}

/** FCM counts the keys and values of data and notification, or, on the way to iOS, what goes to APNs. */
function measureFcm({ data, android, apns, webpush }: JsonObject): number {
  let total = 0;
  for (const [key, value] of Object.entries((data ?? {}) as JsonObject)) {
    total += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : bytes(value));
  }
  return (
    total +
    bytes((android as JsonObject | undefined)?.notification) +
    bytes((apns as JsonObject | undefined)?.payload) +
    bytes((webpush as JsonObject | undefined)?.notification)
  );
}

function bytes(value: JsonValue | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
