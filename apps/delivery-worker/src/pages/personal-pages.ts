import type { Clock, PushVendor } from '@postrider/domain';
import {
  type Database,
  findPersonFacts,
  findUserFacts,
  type PageDevice,
  type StoredPerson,
  type StoredUserFacts,
} from '@postrider/persistence';
import { claimPromoCodes } from '@postrider/promo';
import type { PersonalMessage, PersonFacts } from '@postrider/rendering';
import type { Renderers } from '../messages/renderers';
import type { PageRun } from './page-run';
import { CHANGED_HANDS, NO_CODE, REMOVED, type SkipReason } from './skip-reason';

/**
 * Gets a page of a personal message ready: looks up what its texts say of its people, and claims their promo codes, one query
 * and one transaction a page. Both before the first vendor call: a code that a vendor has seen is written down already, and
 * whoever works the page again finds the same.
 */
export class PersonalPages {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly renderers: Renderers,
  ) {}

  /**
   * From here on the run makes each device's payload for it; devices that are to get nothing are skipped. Does nothing for a
   * page whose devices all get the same, and for one that is not to be sent now.
   */
  async prepare(run: PageRun): Promise<void> {
    const message = run.hasNext ? this.renderers.personalMessageOf(run.key, run.page) : null;
    if (message !== null) await this.#prepare(run, message);
  }

  async #prepare(run: PageRun, message: PersonalMessage): Promise<void> {
    const devices = run.waiting();
    const { appId } = run.key;
    const { facts, device, tags, attributes, promoCode } = message.needs;
    const [people, users, codes] = await Promise.all([
      device ? findPersonFacts(this.database, appId, idsOf(devices), message.needs) : null,
      facts && !device ? findUserFacts(this.database, appId, usersOf(devices), { tags, attributes }) : null,
      promoCode ? this.#claim(run, devices) : null,
    ]);
    run.isPersonal = true;
    run.promoCodes = run.page.content.isTest ? null : codes;
    run.payloadFor = (to) => {
      const userId = to.userId ?? '';
      const code = codes?.get(userId) ?? null;
      const known = people?.get(to.id);
      const person = known ? Object.assign(known, { promoCode: code }) : personOf(to, users?.get(userId), code);
      return message.payloadFor(run.page.vendor as PushVendor, person, this.clock.now());
    };
    const skipsWithoutCode = codes !== null && run.page.promoExhausted === 'skip';
    run.skip((to) => {
      const changed = people === null ? null : changeOf(to, people.get(to.id));
      if (changed !== null) return changed;
      return skipsWithoutCode && (codes.get(to.userId ?? '') ?? null) === null ? NO_CODE : null;
    }, this.clock.now().getTime());
  }

  #claim({ key, page }: PageRun, devices: readonly PageDevice[]): Promise<Map<string, string | null>> {
    const userIds = usersOf(devices);
    const { appId, messageId } = key;
    const { trackId = null, isTest } = page.content;
    return claimPromoCodes(this.database, { appId, messageId, trackId, userIds, isTest, now: this.clock.now() });
  }
}

function idsOf(devices: readonly PageDevice[]): number[] {
  return devices.map(({ id }) => id);
}

function usersOf(devices: readonly PageDevice[]): string[] {
  return [...new Set(devices.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
}

/** What became of a device between the page's claim and the look at its people: nobody reads what was written for another. */
function changeOf(device: PageDevice, person: StoredPerson | undefined): SkipReason | null {
  if (person === undefined) return REMOVED;
  return person.userId === device.userId ? null : CHANGED_HANDS;
}

const NOTHING = { attributes: {}, tags: [], tagValues: {} };

/** The person of a message whose texts name nothing of the device. */
function personOf(to: PageDevice, user: StoredUserFacts | undefined, promoCode: string | null): PersonFacts {
  const { attributes, tags, tagValues } = user ?? NOTHING;
  return { userId: to.userId ?? '', attributes, tags, tagValues, device: deviceOf(to), promoCode };
}

/** What the claim of the page said of the device already: of what kind it is. */
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
