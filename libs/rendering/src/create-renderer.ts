import type { JsonObject, PushVendor, VendorPayload } from '@postrider/domain';
import { messageEnvelope } from './envelope/message-envelope';
import { isSilent, visibleText } from './envelope/visible-text';
import type { RenderingInput } from './payloads/rendering-input';
import { measurePayload } from './payloads/payload-size';
import { apnsPayload } from './payloads/apns-payload';
import { fcmPayload } from './payloads/fcm-payload';
import { hmsPayload } from './payloads/hms-payload';
import { webPushPayload } from './payloads/web-push-payload';
import {
  type Platform,
  platformOf,
  type RenderableApplication,
  type RenderableDevice,
  type RenderableMessage,
} from './renderable';

/** Makes the payloads of one message. */
export interface Renderer {
  /** The payload for a device at a vendor: the same object for every device that gets the same payload. */
  payloadFor(vendor: PushVendor, device: RenderableDevice): VendorPayload;
  /** The payload for a device's own connection. */
  connectionPayload(device: RenderableDevice): JsonObject;
  /** The bytes of the payload that count for the vendor's limit; compare with `VENDOR_LIMITS`. */
  measure(vendor: PushVendor, platform: Platform): number;
}

const BUILDERS: Record<PushVendor, (input: RenderingInput) => VendorPayload> = {
  fcm: fcmPayload,
  apns: apnsPayload,
  hms: hmsPayload,
  webpush: webPushPayload,
};

/** Makes the renderer of a message. Pure: equal input gives equal payloads. */
export function createRenderer(message: RenderableMessage, application: RenderableApplication): Renderer {
  const { content } = message;
  const common = { message, application, text: visibleText(content, application), silent: isSilent(content) };
  const payloads = new Map<string, VendorPayload>();
  const connections = new Map<Platform, JsonObject>();
  const payload = (vendor: PushVendor, platform: Platform): VendorPayload =>
    remember(payloads, `${vendor} ${platform}`, () => BUILDERS[vendor]({ ...common, platform }));
  return {
    payloadFor: (vendor, device) => payload(vendor, platformOf(device.deviceType)),
    connectionPayload: (device) => {
      const platform = platformOf(device.deviceType);
      return remember(connections, platform, () => connectionPayload({ ...common, platform }));
    },
    measure: (vendor, platform) => measurePayload(payload(vendor, platform)),
  };
}

/** The payload of a message for one device. Nothing is cached. */
export function buildPayload(
  message: RenderableMessage,
  application: RenderableApplication,
  vendor: PushVendor,
  { platform, hasFlatKeys }: Pick<RenderingInput, 'platform' | 'hasFlatKeys'>,
): VendorPayload {
  const { content } = message;
  const text = visibleText(content, application);
  const input = { message, application, text, silent: isSilent(content), platform };
  return BUILDERS[vendor](hasFlatKeys === undefined ? input : { ...input, hasFlatKeys });
}

function remember<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

/** The JSON for a device's own connection. */
function connectionPayload({ message, application, platform }: RenderingInput): JsonObject {
  return messageEnvelope(message, application, platform);
}
