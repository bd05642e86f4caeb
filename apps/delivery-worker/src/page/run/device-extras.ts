import { DEFAULT_EDITION, type DeviceId, type Edition } from '@postrider/domain';
import type { PageDevice } from '@postrider/persistence';
import type { DeliveryOutcome } from './outcome-buffer';

/**
 * What differs from device to device of one page beside its text: which edition of the message it gets, and the promo code of its
 * user. Few messages have any; the outcomes of those name it.
 */
export class DeviceExtras {
  #promoCodes: ReadonlyMap<string, string | null> | null = null;
  #editions: ReadonlyMap<DeviceId, Edition> | null = null;

  /** Outcomes name their users' promo codes from now on. */
  promoCodesClaimed(codes: ReadonlyMap<string, string | null>): void {
    this.#promoCodes = this.#promoCodes === null ? codes : new Map([...this.#promoCodes, ...codes]);
  }

  /** Each device gets its edition, and its outcome names the language, from now on. */
  editionsChosen(editions: ReadonlyMap<DeviceId, Edition>): void {
    this.#editions = editions;
  }

  /** Which edition of the message a device gets: of equal ones the very same. */
  editionOf({ id }: PageDevice): Edition {
    return this.#editions?.get(id) ?? DEFAULT_EDITION;
  }

  /** Adds to an outcome what its device has. */
  addTo(device: PageDevice, outcome: DeliveryOutcome): void {
    if (this.#promoCodes !== null) outcome.promoCode = this.#promoCodes.get(device.userId ?? '') ?? undefined;
    if (this.#editions !== null && outcome.state !== 'skipped') outcome.language = this.editionOf(device).language;
  }
}
