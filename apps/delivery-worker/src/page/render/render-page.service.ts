import { Inject, Injectable } from '@nestjs/common';
import {
  type DeviceId,
  CHANGED_HANDS,
  type Clock,
  type Edition,
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
    const groups = byEdition(run);
    const made = new Map<Edition, PayloadFor>();
    let isPersonal = false;
    for (const group of groups) {
      const message = this.payloads.personalMessageOf(run.key, run.page, group.edition);
      isPersonal ||= message !== null;
      const payloadFor =
        message === null
          ? this.payloads.payloadsOf(run.key, run.page, group.edition)
          : await this.#personalize(run, message, group);
      made.set(group.edition, payloadFor);
    }
    const [only] = made.values();
    const payloadFor = (device: PageDevice): VendorPayload =>
      (made.get(run.extras.editionOf(device)) as PayloadFor)(device);
    run.usePayloads(made.size === 1 && only ? only : payloadFor, isPersonal);
  }

  async #personalize(run: PageRun, message: PersonalMessage, group: EditionGroup): Promise<PayloadFor> {
    try {
      return await this.#look(run, message, await message.needs(), group);
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      return () => {
        throw error;
      };
    }
  }

  async #look(
    run: PageRun,
    message: PersonalMessage,
    needs: PersonalNeeds,
    { edition, devices }: EditionGroup,
  ): Promise<PayloadFor> {
    const { appId } = run.key;
    const { facts, device, tags, attributes, promoCode } = needs;
    const [people, users, codes] = await Promise.all([
      device ? this.facts.findOfDevices(appId, idsOf(devices), needs) : null,
      facts && !device ? this.facts.findOfUsers(appId, usersOf(devices), { tags, attributes }) : null,
      promoCode ? this.#claim(run, devices) : null,
    ]);
    if (codes !== null && !run.page.content.isTest) run.extras.promoCodesClaimed(codes);
    const personFor = (to: PageDevice): PersonFacts => {
      const userId = to.userId ?? '';
      const code = codes?.get(userId) ?? null;
      const known = people?.get(to.id);
      return known ? Object.assign(known, { promoCode: code }) : personOf(to, users?.get(userId), code);
    };
    const skipsWithoutCode = codes !== null && run.page.promoExhausted === 'skip';
    run.skip((to) => {
      if (run.extras.editionOf(to) !== edition) return null;
      const changed = people === null ? null : changeOf(to, people.get(to.id));
      if (changed !== null) return changed;
      return skipsWithoutCode && (codes.get(to.userId ?? '') ?? null) === null ? NO_CODE : null;
    }, this.clock.now().getTime());
    const vendor = run.page.vendor;
    return message.isPlain
      ? (to: PageDevice) => message.payloadFor(vendor, personFor(to), this.clock.now())
      : await this.#madeBefore(run, message, personFor, edition);
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

/** Makes the payload of a device. @throws when it cannot be made */
type PayloadFor = (device: PageDevice) => VendorPayload;

/** The devices of a page that get the same edition of its message. */
interface EditionGroup {
  edition: Edition;
  devices: PageDevice[];
}

function byEdition(run: PageRun): EditionGroup[] {
  const groups = new Map<Edition, EditionGroup>();
  for (const device of run.waiting()) {
    const edition = run.extras.editionOf(device);
    const group = groups.get(edition);
    if (group === undefined) groups.set(edition, { edition, devices: [device] });
    else group.devices.push(device);
  }
  return [...groups.values()];
}

function idsOf(devices: readonly PageDevice[]): DeviceId[] {
  return devices.map(({ id }) => id);
}

function usersOf(devices: readonly PageDevice[]): string[] {
  return [...new Set(devices.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
}

/**
 * Returns why a device gets nothing although the page was claimed with it: it changed its owner or was removed before
 * its user was read.
 */
function changeOf(device: PageDevice, person: StoredPerson | undefined): SkipReason | null {
  if (person === undefined) return REMOVED;
  return person.userId === device.userId ? null : CHANGED_HANDS;
}

const NOTHING = { attributes: {}, tags: [], tagValues: {} };

/** Returns the data of a user, for a message whose texts use nothing of the device. */
function personOf(to: PageDevice, user: StoredUserFacts | undefined, promoCode: string | null): PersonFacts {
  const { attributes, tags, tagValues } = user ?? NOTHING;
  return { userId: to.userId ?? '', attributes, tags, tagValues, device: deviceOf(to), promoCode };
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
