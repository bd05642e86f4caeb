import type { DevicePreviewResponse, PreviewResponse, ValidatedSend, UserPreviewResponse } from '@postrider/contracts';
import {
  type DeviceId,
  type Clock,
  contentOfVariant,
  type CredentialVendor,
  type DeliveryVendor,
  DomainError,
  type Edition,
  EditionChoice,
  hasEditions,
  type JsonObject,
  LOCALE_ATTRIBUTE,
  type MessageContent,
  reachOf,
  type Destination,
  routeDevice,
  sameTag,
  type Steering,
  type VendorPayload,
} from '@postrider/domain';
import {
  createPersonalFallback,
  createPersonalMessage,
  createRenderer,
  isSilent,
  measurePayload,
  messageOfEdition,
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
import { Inject, Injectable } from '@nestjs/common';
import {
  ApplicationsRepository,
  type Database,
  DATABASE,
  DevicesRepository,
  PersonFactsRepository,
  type StoredPerson,
  type StoredUserFacts,
  VendorCredentialsRepository,
} from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { SAMPLE_PROMO_CODE } from '@postrider/promo';
import { whyTooLong } from '@postrider/vendors';

/** Shows one message as it would be on several devices. */
class DevicePreview {
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

const MAX_DEVICES = 10;

/** Shows how a message would look on the devices of some users. Sends nothing, writes nothing, takes no promo code. */
@Injectable()
export class PreviewTexts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly credentials: VendorCredentialsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly applications: ApplicationsRepository,
    private readonly devices: DevicesRepository,
    private readonly facts: PersonFactsRepository,
  ) {}

  /**
   * Renders a message for its users as the delivery worker would, for each device and content.
   *
   * @param request a message to users
   * @throws DomainError NOT_FOUND if there is no such application
   */
  async preview(appId: string, request: ValidatedSend): Promise<PreviewResponse> {
    const userIds = request.recipients.kind === 'users' ? request.recipients.userIds : [];
    const application = await this.applications.find(this.database, appId);
    if (application === null) throw new DomainError('NOT_FOUND', 'There is no such application');
    const now = this.clock.now();
    const startsAt = startOf(request.steering, now);
    const message: RenderableMessage = {
      id: newId(now),
      kind: 'users',
      channel: request.channel,
      content: contentOfVariant(request.content, request.shownVariant ?? request.content.variants?.[0]?.name ?? null),
      acceptedAt: startsAt,
      expiresAt: new Date(startsAt.getTime() + request.ttlSeconds * 1_000),
    };
    const configured = await this.credentials.list(appId);
    const vendors = configured.map(({ vendor }) => vendor);
    const destinations = await this.#destinations(appId, userIds, { message, vendors });
    const people = await this.facts.findOfDevices(appId, [...destinations.keys()]);
    const users = await this.facts.findOfUsers(appId, userIds);
    const chosen = editionOf(message.content, request.shownLanguage);
    const device = new DevicePreview(message, application, chosen, now);
    const lastLocales = hasEditions(message.content) ? await this.devices.findLastLocales(appId, userIds) : new Map();
    const provider = configured.find(({ vendor }) => vendor === 'sms')?.settings.provider;
    const asked = { chosen, lastLocales, provider, now };
    const sms = await Promise.all(
      userIds.map((userId) => smsOf(message, userFactsOf(userId, users.get(userId)), asked)),
    );
    const shown = userIds.map(async (userId, place) => {
      const theirs = [...destinations].flatMap(([deviceId, destination]) => {
        const person = people.get(deviceId);
        return person?.userId === userId ? [device.of(personOf(person), destination)] : [];
      });
      return { userId, devices: await Promise.all(theirs), ...sms[place] };
    });
    return { users: await Promise.all(shown) };
  }

  /** Returns how each device of these users would be reached now, by the id of the device. */
  async #destinations(
    appId: string,
    userIds: readonly string[],
    { message, vendors }: { message: RenderableMessage; vendors: readonly CredentialVendor[] },
  ): Promise<Map<DeviceId, Destination>> {
    const devices = await this.devices.findOfUsers(appId, userIds, MAX_DEVICES);
    const reach = reachOf(message.kind, message.content);
    return new Map(devices.map((device) => [device.deviceId, routeDevice(device, reach, vendors)]));
  }
}

/** The edition in a language that is asked for, with its tag as the message has it. Null: none is asked for. */
function editionOf({ localized = {} }: MessageContent, language: ValidatedSend['shownLanguage']): Edition | null {
  if (language === undefined) return null;
  return { language: language === null ? null : (sameTag(Object.keys(localized), language) ?? null) };
}

/** When a message leaves that is sent now. A local time differs by device, so it is shown as if it were now. */
function startOf({ sendAt, localTime }: Steering, now: Date): Date {
  return sendAt === undefined || localTime || sendAt < now ? now : sendAt;
}

function personOf(stored: StoredPerson): PersonFacts {
  return { ...stored, promoCode: SAMPLE_PROMO_CODE };
}

function userFactsOf(userId: string, stored: StoredUserFacts | undefined): PersonFacts {
  return { attributes: {}, tags: [], tagValues: {}, ...stored, userId, device: null, promoCode: SAMPLE_PROMO_CODE };
}

/** The facts that decide which edition an SMS has. */
interface SmsEdition {
  /** The edition to show, whatever the user's language; null: the one that the user gets. */
  chosen: Edition | null;
  /** The locale of the device that each user used last. */
  lastLocales: ReadonlyMap<string, string>;
  /** The application's SMS provider. Undefined: none. */
  provider: unknown;
  now: Date;
}

async function smsOf(
  message: RenderableMessage,
  user: PersonFacts,
  { chosen, lastLocales, provider, now }: SmsEdition,
): Promise<Pick<UserPreviewResponse, 'sms'>> {
  const locales = [user.attributes[LOCALE_ATTRIBUTE], lastLocales.get(user.userId)];
  const edition = chosen ?? new EditionChoice(message.content).of(...locales);
  const own = messageOfEdition(message, edition);
  const { fallback } = own.content;
  if (fallback === undefined) return {};
  const { language } = edition;
  const [text = fallback.content] = (await createPersonalFallback(own)?.textsFor([user], now)) ?? [];
  if (text instanceof TemplateFailure)
    return { sms: { language, problem: { code: text.code, message: text.message } } };
  const tooLong = whyTooLong(provider, text);
  return {
    sms: { language, text, ...(tooLong === null ? {} : { problem: { code: 'payload_too_large', message: tooLong } }) },
  };
}
