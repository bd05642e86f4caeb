import type { DevicePreviewResponse } from '@postrider/contracts';
import {
  type DeliveryVendor,
  type Destination,
  type Edition,
  EditionChoice,
  type JsonObject,
  LOCALE_ATTRIBUTE,
  type MessageContent,
  type VendorPayload,
} from '@postrider/domain';
import {
  createPersonalMessage,
  createRenderer,
  isSilent,
  measurePayload,
  PerEdition,
  type PersonalMessage,
  type PersonalPreview,
  type PersonFacts,
  type RenderableApplication,
  type RenderableMessage,
  TemplateFailure,
  VENDOR_LIMITS,
  visibleText,
} from '@postrider/rendering';

/** Shows one message as it would be on several devices. */
export class DevicePreview {
  readonly #choice: EditionChoice;
  readonly #editions: PerEdition<RenderableMessage, EditionPreview>;

  /** @param chosen the edition to show, whatever the language of the device; null: the edition that each device gets */
  constructor(
    message: RenderableMessage,
    application: RenderableApplication,
    private readonly chosen: Edition | null,
    now: Date,
  ) {
    this.#choice = new EditionChoice(message.content);
    this.#editions = new PerEdition(message, (own) => new EditionPreview(own, application, now));
  }

  /** @param person the user, with the device to show the message for */
  async of(person: PersonFacts, destination: Destination): Promise<DevicePreviewResponse> {
    const edition = this.chosen ?? this.#choice.of(person.device?.locale, person.attributes[LOCALE_ATTRIBUTE]);
    return { ...(await this.#editions.of(edition).of(person, destination)), language: edition.language };
  }
}

/** Shows one edition of a message. */
class EditionPreview {
  readonly #personal: PersonalMessage | null;

  constructor(
    private readonly message: RenderableMessage,
    private readonly application: RenderableApplication,
    private readonly now: Date,
  ) {
    this.#personal = createPersonalMessage(message, application);
  }

  async of(person: PersonFacts, destination: Destination): Promise<Omit<DevicePreviewResponse, 'language'>> {
    const { installationId = '', deviceType = null } = person.device ?? {};
    const vendor = destination.kind === 'reachable' ? destination.vendor : null;
    const device = { installationId, deviceType, vendor };
    const [made] = (await this.#personal?.previews([person], this.now)) ?? [{ ...this.message, missing: [] }];
    if (made instanceof TemplateFailure) {
      return { ...device, problem: { code: made.code, message: made.message }, warnings: [] };
    }
    const { content, missing } = made as PersonalPreview;
    const warnings = missing.map((name) => `${name} has no value`);
    return { ...device, ...this.#shown(content), ...this.#payload(content, vendor, deviceType, destination), warnings };
  }

  #shown(content: MessageContent): Partial<DevicePreviewResponse> {
    const { content: text, notification, data } = content;
    return {
      ...(isSilent(content) ? {} : visibleText(content, this.application)),
      ...(text === undefined ? {} : { content: text }),
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
    destination: Destination,
  ): Partial<DevicePreviewResponse> {
    if (vendor === null) return destination.kind === 'reachable' ? {} : { problem: unreachable(destination.reason) };
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
  return { code: reason, message: `The device cannot be reached now: ${reason.replaceAll('_', ' ')}` };
}

function bodyOf(payload: VendorPayload): JsonObject {
  return 'body' in payload ? payload.body : payload.message;
}
