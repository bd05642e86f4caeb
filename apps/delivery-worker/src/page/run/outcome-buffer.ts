import type { DeliveryState, DeviceId } from '@postrider/domain';
import { noOutcomes, type RecordedDeliveries } from '@postrider/persistence';

/** The outcome of one delivery, as it is recorded. */
export interface DeliveryOutcome {
  state: DeliveryState;
  vendorMessageId?: string | null;
  errorCode?: string;
  reason?: string;
  promoCode?: string | undefined;
  /** The language in which it was sent; null: the default. Left out: the message has no languages. */
  language?: string | null;
}

/** A vendor's text is kept up to this length. */
const MAX_TEXT = 500;

/**
 * Outcomes that wait for the next flush, one array for each column: PostgreSQL takes them in this form, and it saves an
 * object for each row.
 */
export class OutcomeBuffer {
  #columns = noOutcomes();
  /** When the oldest outcome arrived, in milliseconds since 1970. */
  oldestAt = Infinity;

  get size(): number {
    return this.#columns.deviceIds.length;
  }

  /** @param at milliseconds since 1970 */
  add(deviceId: DeviceId, result: DeliveryOutcome, at: number): void {
    if (this.size === 0) this.oldestAt = at;
    const columns = this.#columns;
    columns.deviceIds.push(deviceId);
    columns.states.push(result.state);
    columns.vendorMessageIds.push(storable(result.vendorMessageId));
    columns.errorCodes.push(storable(result.errorCode));
    columns.reasons.push(storable(result.reason));
    columns.times.push(at);
    if (result.promoCode !== undefined) (columns.promoCodes ??= [])[this.size - 1] = result.promoCode;
    if (result.language) (columns.languages ??= [])[this.size - 1] = result.language;
  }

  /** Returns everything and empties the buffer. */
  take(): RecordedDeliveries {
    const taken = this.#columns;
    for (const name of RARE_COLUMNS) if (taken[name] !== undefined) taken[name] = padded(taken, name);
    this.#columns = noOutcomes();
    this.oldestAt = Infinity;
    return taken;
  }

  /**
   * Puts back outcomes that `take` returned and that could not be written. The order does not matter: a device has one
   * outcome.
   */
  putBack(taken: RecordedDeliveries): void {
    const current = this.#columns;
    this.#columns = {
      deviceIds: taken.deviceIds.concat(current.deviceIds),
      states: taken.states.concat(current.states),
      vendorMessageIds: taken.vendorMessageIds.concat(current.vendorMessageIds),
      errorCodes: taken.errorCodes.concat(current.errorCodes),
      reasons: taken.reasons.concat(current.reasons),
      times: taken.times.concat(current.times),
    };
    for (const name of RARE_COLUMNS) {
      if (taken[name] === undefined && current[name] === undefined) continue;
      this.#columns[name] = padded(taken, name).concat(padded(current, name));
    }
    this.oldestAt = this.#columns.times[0] ?? Infinity;
  }
}

/** Columns that few messages have, filled up to the last row that needed them. */
const RARE_COLUMNS = ['promoCodes', 'languages'] as const;

function padded(columns: RecordedDeliveries, name: (typeof RARE_COLUMNS)[number]): (string | null)[] {
  const values = columns[name] ?? [];
  return columns.deviceIds.map((_, place) => values[place] ?? null);
}

/** PostgreSQL's text cannot contain NUL; a vendor's text may. */
function storable(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) : whole;
}
