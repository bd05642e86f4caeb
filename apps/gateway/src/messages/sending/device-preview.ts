import type { DevicePreviewResponse } from '@postrider/contracts';
import type { DeliveryVendor, JsonObject, MessageContent, Route, VendorPayload } from '@postrider/domain';
import {
  createPersonalMessage,
  createRenderer,
  isSilent,
  measurePayload,
  type PersonalMessage,
  type PersonalPreview,
  type PersonFacts,
  type RenderableApplication,
  type RenderableMessage,
  TemplateFailure,
  VENDOR_LIMITS,
  visibleText,
} from '@postrider/rendering';

/** Shows one message as it would be on one device after the other. */
export class DevicePreview {
  readonly #personal: PersonalMessage | null;

  constructor(
    private readonly message: RenderableMessage,
    private readonly application: RenderableApplication,
    private readonly now: Date,
  ) {
    this.#personal = createPersonalMessage(message, application);
  }

  /** @param person of whom `device` is the one */
  async of(person: PersonFacts, route: Route): Promise<DevicePreviewResponse> {
    const { installationId = '', deviceType = null } = person.device ?? {};
    const vendor = route.kind === 'reachable' ? route.vendor : null;
    const device = { installationId, deviceType, vendor };
    const [made] = (await this.#personal?.previews([person], this.now)) ?? [{ ...this.message, missing: [] }];
    if (made instanceof TemplateFailure) {
      return { ...device, problem: { code: made.code, message: made.message }, warnings: [] };
    }
    const { content, missing } = made as PersonalPreview;
    const warnings = missing.map((name) => `${name} has no value`);
    return { ...device, ...this.#shown(content), ...this.#payload(content, vendor, deviceType, route), warnings };
  }

  #shown(content: MessageContent): Partial<DevicePreviewResponse> {
    const { notification, data } = content;
    return {
      ...(isSilent(content) ? {} : visibleText(content, this.application)),
      ...(content.content === undefined ? {} : { content: content.content }),
      ...(notification?.clickUrl === undefined ? {} : { clickUrl: notification.clickUrl }),
      ...(notification?.actions === undefined
        ? {}
        : { actions: notification.actions.map(({ id, title, url }) => ({ id, title, url })) }),
      ...(data === undefined ? {} : { data }),
    };
  }

  #payload(
    content: MessageContent,
    vendor: DeliveryVendor | null,
    deviceType: string | null,
    route: Route,
  ): Partial<DevicePreviewResponse> {
    if (vendor === null) return route.kind === 'reachable' ? {} : { problem: unreachable(route.reason) };
    const renderer = createRenderer({ ...this.message, content }, this.application);
    if (vendor === 'connection') return { payload: renderer.connectionPayload({ deviceType }) };
    const payload = renderer.payloadFor(vendor, { deviceType });
    const [bytes, limit] = [measurePayload(payload), VENDOR_LIMITS[vendor]];
    const message = `The payload has ${bytes} bytes for this device, ${vendor} takes ${limit} bytes`;
    return {
      payload: bodyOf(payload),
      bytes,
      limit,
      ...(bytes > limit ? { problem: { code: 'payload_too_large', message } } : {}),
    };
  }
}

function unreachable(reason: string): { code: string; message: string } {
  return { code: reason, message: `There is no way to the device now: ${reason.replaceAll('_', ' ')}` };
}

function bodyOf(payload: VendorPayload): JsonObject {
  return 'body' in payload ? payload.body : payload.message;
}
