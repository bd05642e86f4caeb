import {
  type Gap,
  type GapValue,
  type JsonObject,
  type JsonValue,
  type PushVendor,
  TextWithGaps,
  type VendorPayload,
} from '@postrider/domain';
import { TemplateFailure } from '../templates/template-failure';

/** The most bytes of a payload for each vendor, as `measurePayload` counts them. */
export const VENDOR_LIMITS: Readonly<Record<PushVendor, number>> = {
  fcm: 4_096,
  apns: 4_096,
  hms: 4_096,
  // RFC 8291 §4: one record of 4,096 bytes less salt, key and padding.
  webpush: 3_993,
};

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

/** FCM counts the keys and values of data and notification, or, for iOS, what goes to APNs. */
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

/** The failure for a device whose payload is bigger than its vendor allows. */
export function tooLarge(vendor: PushVendor, bytes: number): TemplateFailure {
  const limit = VENDOR_LIMITS[vendor];
  const reason = `The payload has ${bytes} bytes for this device, ${vendor} takes ${limit} bytes`;
  return new TemplateFailure('payload_too_large', reason);
}

/** @throws TemplateFailure `payload_too_large` if the vendor would refuse the payload */
export function checkPayloadSize(payload: VendorPayload): void {
  const bytes = measurePayload(payload);
  if (bytes > VENDOR_LIMITS[payload.vendor]) throw tooLarge(payload.vendor, bytes);
}

/** The most bytes of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/** Computes the bytes of texts with gaps without filling them. */
export class GapMeasure {
  readonly #gaps: readonly Gap[];
  readonly #fixed: number;

  constructor(texts: readonly string[], nonce: string) {
    const cut = texts.map((text) => new TextWithGaps(text, nonce));
    this.#gaps = cut.flatMap(({ gaps }) => gaps);
    this.#fixed = cut.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }

  /** Most values are so short that no byte needs to be counted. */
  fits(values: readonly GapValue[], limit: number): boolean {
    let units = 0;
    for (const { place, depth } of this.#gaps) units += (values[place] as GapValue).at(depth).length;
    return this.#fixed + units * MOST_BYTES <= limit || this.bytes(values) <= limit;
  }

  bytes(values: readonly GapValue[]): number {
    let bytes = this.#fixed;
    for (const { place, depth } of this.#gaps) bytes += Buffer.byteLength((values[place] as GapValue).at(depth));
    return bytes;
  }
}
