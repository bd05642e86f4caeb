import type { JsonObject, JsonValue, VendorPayload } from '@postrider/domain';

/** Room for what the sender adds to an HMS body: `"ttl":"1296000s",` and `"token":[]`. */
const HMS_ADDED_BYTES = 64;

/** How many bytes of the vendor's limit a payload takes; never fewer than the vendor counts. */
export function measurePayload(payload: VendorPayload): number {
  let bytes = payload.vendor === 'hms' ? HMS_ADDED_BYTES : 0;
  for (const text of measuredTexts(payload)) bytes += Buffer.byteLength(text);
  return bytes;
}

/** The texts whose bytes a vendor counts. */
export function measuredTexts(payload: VendorPayload): string[] {
  switch (payload.vendor) {
    case 'fcm':
      return fcmTexts(payload.message);
    case 'hms':
      return [JSON.stringify({ message: payload.message })];
    case 'apns':
    case 'webpush':
      return [JSON.stringify(payload.body)];
  }
}

/** FCM counts the keys and values of data and notification, or, on the way to iOS, what goes to APNs. */
function fcmTexts({ data, android, apns, webpush }: JsonObject): string[] {
  const texts: string[] = [];
  const fields = (data ?? {}) as JsonObject;
  for (const key in fields) {
    const value = fields[key];
    texts.push(key, typeof value === 'string' ? value : json(value));
  }
  texts.push(
    json((android as JsonObject | undefined)?.notification),
    json((apns as JsonObject | undefined)?.payload),
    json((webpush as JsonObject | undefined)?.notification),
  );
  return texts;
}

function json(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value);
}
