import type { PreviewResponse, UserPreviewResponse, ValidatedSend } from '@postrider/contracts';
import {
  type DeviceId,
  type Clock,
  contentOfVariant,
  type CredentialVendor,
  DomainError,
  type Edition,
  EditionChoice,
  hasEditions,
  LOCALE_ATTRIBUTE,
  type MessageContent,
  reachOf,
  type Destination,
  routeDevice,
  sameTag,
  type Steering,
} from '@postrider/domain';
import {
  createPersonalFallback,
  messageOfEdition,
  type PersonFacts,
  type RenderableMessage,
  TemplateFailure,
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
import { DevicePreview } from './device-preview';

/** The most devices of one user that are shown. */
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
