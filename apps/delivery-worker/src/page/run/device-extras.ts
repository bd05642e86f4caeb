import { DEFAULT_EDITION, type DeviceId, type Edition } from '@postrider/domain';
import type { PageDevice } from '@postrider/persistence';
import type { DeliveryOutcome } from './outcome-buffer';

/**
 * What differs between the devices of one page besides the text: the edition of the message, and the promo code of the
 * user. Few messages have any; their outcomes record it.
 */
export class DeviceExtras {
  #promoCodes: ReadonlyMap<string, string | null> | null = null;
  #editions: ReadonlyMap<DeviceId, Edition> | null = null;

  /** Sets the promo codes of users, which later outcomes name. */
  promoCodesClaimed(codes: ReadonlyMap<string, string | null>): void {
    this.#promoCodes = this.#promoCodes === null ? codes : new Map([...this.#promoCodes, ...codes]);
  }

  /** Sets the edition that each device gets, whose language later outcomes name. */
  editionsChosen(editions: ReadonlyMap<DeviceId, Edition>): void {
    this.#editions = editions;
  }

  /** Returns the edition of the message that a device gets. Equal editions are the same object. */
  editionOf({ id }: PageDevice): Edition {
    return this.#editions?.get(id) ?? DEFAULT_EDITION;
  }

  /** Adds the device's extras to an outcome. */
  addTo(device: PageDevice, outcome: DeliveryOutcome): void {
    if (this.#promoCodes !== null) outcome.promoCode = this.#promoCodes.get(device.userId ?? '') ?? undefined;
    if (this.#editions !== null && outcome.state !== 'skipped') outcome.language = this.editionOf(device).language;
  }
}
