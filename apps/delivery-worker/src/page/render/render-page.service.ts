import { Inject, Injectable } from '@nestjs/common';
import {
  type DeviceId,
  CHANGED_HANDS,
  type Clock,
  type Edition,
  groupBy,
  REMOVED,
  type SkipReason,
  type VendorPayload,
} from '@postrider/domain';
import {
  type PageDevice,
  PersonFactsRepository,
  type StoredPerson,
  type StoredUserFacts,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { type PersonalMessage, type PersonalNeeds, type PersonFacts, TemplateFailure } from '@postrider/rendering';
import { KeepCaps } from '../cap/keep-caps.service';
import { ChooseEditions } from './choose-editions.service';
import { MessagePayloads } from './message-payloads';
import type { PageRun } from '../run/page-run';
import { NO_CODE } from '../run/skip-reason';

/**
 * Chooses the edition that each device of a page gets, and skips the users who have had enough campaigns. For a page of
 * a personal message, it looks up the users' data and claims their promo codes, with one query and one transaction for
 * each edition. It does so before the first vendor call: a code is recorded before a vendor sees it, so a worker that
 * repeats the page finds the same code.
 */
@Injectable()
export class RenderPageService {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly payloads: MessagePayloads,
    private readonly facts: PersonFactsRepository,
    private readonly promoCodes: PromoCodeClaims,
    private readonly caps: KeepCaps,
    private readonly editions: ChooseEditions,
  ) {}

  /**
   * Gives the run its payloads. Payloads of a personal message are made for each device; devices that get nothing are
   * skipped. Does nothing for a page that is not sent now.
   */
  async render(run: PageRun): Promise<void> {
    // First, so that users who are skipped take no promo code.
    await this.caps.keep(run);
    if (!run.hasNext) return;
    await this.editions.choose(run);
    const made = new Map<Edition, PayloadFor>();
    let isPersonal = false;
    for (const group of groupBy(run.waiting(), (device) => run.extras.editionOf(device))) {
      const [edition] = group;
      const message = this.payloads.personalMessageOf(run.key, run.page, edition);
      isPersonal ||= message !== null;
      const payloadFor =
        message === null
          ? this.payloads.payloadsOf(run.key, run.page, edition)
          : await this.#personalize(run, message, group);
      made.set(edition, payloadFor);
    }
    const [only] = made.values();
    const payloadFor = (device: PageDevice): VendorPayload =>
      (made.get(run.extras.editionOf(device)) as PayloadFor)(device);
    run.usePayloads(made.size === 1 && only ? only : payloadFor, isPersonal);
  }

  /** Returns what makes the payloads of one edition; skips the devices that get none. */
  async #personalize(run: PageRun, message: PersonalMessage, [edition, devices]: EditionGroup): Promise<PayloadFor> {
    try {
      const known = await this.#lookUp(run, await message.needs(), devices);
      run.skip(
        (to) => (run.extras.editionOf(to) === edition ? skipReasonOf(to, known, run.page) : null),
        this.clock.now().getTime(),
      );
      const personFor = (to: PageDevice): PersonFacts => personOf(to, known);
      if (!message.isPlain) return await this.#madeBefore(run, message, personFor, edition);
      const { vendor } = run.page;
      return (to) => message.payloadFor(vendor, personFor(to), this.clock.now());
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      return () => {
        throw error;
      };
    }
  }

  /** Reads what the texts say about the users of devices, and claims their promo codes. */
  async #lookUp(run: PageRun, needs: PersonalNeeds, devices: readonly PageDevice[]): Promise<KnownPeople> {
    const { appId } = run.key;
    const { facts, device, tags, attributes, promoCode } = needs;
    const [people, users, codes] = await Promise.all([
      device ? this.facts.findOfDevices(appId, idsOf(devices), needs) : null,
      facts && !device ? this.facts.findOfUsers(appId, usersOf(devices), { tags, attributes }) : null,
      promoCode ? this.#claim(run, devices) : null,
    ]);
    if (codes !== null && !run.page.content.isTest) run.extras.promoCodesClaimed(codes);
    return { people, users, codes };
  }

  /** Texts that need a thread of their own are made for all devices of the page before its first call. */
  async #madeBefore(
    run: PageRun,
    message: PersonalMessage,
    personFor: (to: PageDevice) => PersonFacts,
    edition: Edition,
  ): Promise<PayloadFor> {
    const devices = run.waiting().filter((device) => run.extras.editionOf(device) === edition);
    const payloads = await message.payloadsFor(run.page.vendor, devices.map(personFor), this.clock.now());
    const byDevice = new Map(devices.map(({ id }, place) => [id, payloads[place]]));
    return ({ id }) => {
      const payload = byDevice.get(id);
      byDevice.delete(id);
      if (payload === undefined) throw new Error(`Device ${id} was asked for twice`);
      if (payload instanceof TemplateFailure) throw payload;
      return payload;
    };
  }

  #claim({ key, page }: PageRun, devices: readonly PageDevice[]): Promise<Map<string, string | null>> {
    const userIds = usersOf(devices);
    const { appId, messageId } = key;
    const { trackId = null, isTest } = page.content;
    return this.promoCodes.claim({ appId, messageId, trackId, userIds, isTest, now: this.clock.now() });
  }
}

/** What is known of the users of a page; null: the texts do not use it. */
interface KnownPeople {
  people: Map<DeviceId, StoredPerson> | null;
  users: Map<string, StoredUserFacts> | null;
  /** The promo code of each user; null: there was none left. */
  codes: Map<string, string | null> | null;
}

/** The devices of a page that get the same edition of its message. */
type EditionGroup = [edition: Edition, devices: readonly PageDevice[]];

/** Makes the payload of a device. @throws when it cannot be made */
type PayloadFor = (device: PageDevice) => VendorPayload;

function idsOf(devices: readonly PageDevice[]): DeviceId[] {
  return devices.map(({ id }) => id);
}

function usersOf(devices: readonly PageDevice[]): string[] {
  return [...new Set(devices.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
}

/**
 * Returns why a device gets nothing although the page was claimed with it: it changed its owner or was removed before
 * its user was read, or no promo code is left for its user.
 */
function skipReasonOf(
  to: PageDevice,
  { people, codes }: KnownPeople,
  { promoExhausted }: PageRun['page'],
): SkipReason | null {
  if (people !== null) {
    const person = people.get(to.id);
    if (person === undefined) return REMOVED;
    if (person.userId !== to.userId) return CHANGED_HANDS;
  }
  const isWithoutCode = codes !== null && (codes.get(to.userId ?? '') ?? null) === null;
  return isWithoutCode && promoExhausted === 'skip' ? NO_CODE : null;
}

const NOTHING = { attributes: {}, tags: [], tagValues: {} };

/** Returns what the texts say about the user of a device. */
function personOf(to: PageDevice, { people, users, codes }: KnownPeople): PersonFacts {
  const userId = to.userId ?? '';
  const promoCode = codes?.get(userId) ?? null;
  const known = people?.get(to.id);
  if (known) return Object.assign(known, { promoCode });
  const { attributes, tags, tagValues } = users?.get(userId) ?? NOTHING;
  return { userId, attributes, tags, tagValues, device: deviceOf(to), promoCode };
}

/** Returns the device's type and locale, which the claim of the page has read. */
function deviceOf({ installationId, deviceType, locale }: PageDevice): PersonFacts['device'] {
  return {
    installationId: installationId ?? '',
    deviceType,
    locale,
    osVersion: null,
    clientVersion: null,
    timeZone: null,
    attributes: NOTHING.attributes,
    registration: NOTHING.attributes,
  };
}
