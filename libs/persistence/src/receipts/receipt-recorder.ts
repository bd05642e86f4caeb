import type { Clock } from '@postrider/domain';
import { isDatabaseUnavailable } from '../database/is-database-unavailable';
import { isCollision } from '../database/retried-transaction';
import { combineReceipts, isMessageId } from './combine-receipts';
import { HeldLinks } from './held-links';
import type { DeviceReceipts, Receipt } from './receipt';
import type { ReceiptsRepository } from './receipts.repository';

/** Statements under way at once. While they run, what comes waits and goes together in the next. */
const STATEMENTS_AT_ONCE = 2;
/** A statement of so many takes some tens of milliseconds. */
const ENTRIES_AT_ONCE = 500;
const ATTEMPTS = 4;

interface Waiting {
  entries: DeviceReceipts[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Records receipts of many devices in common statements: a busy process commits once for hundreds of devices, an idle one at
 * once. Make one for the process. A receipt is recorded when its promise resolves; one that PostgreSQL refuses fails alone.
 */
export class ReceiptRecorder {
  #waiting: Waiting[] = [];
  #underWay = 0;
  #isCalled = false;
  /** Names followed links as their messages hold them. */
  readonly links: HeldLinks;

  constructor(
    private readonly receipts: ReceiptsRepository,
    private readonly clock: Clock,
  ) {
    this.links = new HeldLinks(receipts);
  }

  /**
   * Records what one device reported: safe to repeat, in any order. Messages that are unknown, or were not meant for the
   * device, are passed by.
   *
   * @param deviceId `installations.id`
   */
  async record(appId: string, deviceId: string, receipts: readonly Receipt[]): Promise<void> {
    const named = await this.#nameLinks(appId, await this.receipts.nameMessages(appId, deviceId, receipts));
    const entries = combineReceipts({ appId, deviceId }, named, this.clock.now());
    if (entries.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ entries, resolve, reject });
      this.#call();
    });
  }

  /** A personal link counts under its template. */
  #nameLinks(appId: string, receipts: readonly Receipt[]): Promise<Receipt[]> {
    return Promise.all(
      receipts.map(async (receipt) => {
        const { kind, messageId, link } = receipt;
        if (kind !== 'link' || !link || messageId === null || !isMessageId(messageId)) return receipt;
        return { ...receipt, link: await this.links.nameOf(appId, messageId.toLowerCase(), link) };
      }),
    );
  }

  /** At the end of this turn of the event loop: what was read in it goes together. */
  #call(): void {
    if (this.#isCalled || this.#underWay >= STATEMENTS_AT_ONCE) return;
    this.#isCalled = true;
    setImmediate(() => {
      this.#isCalled = false;
      void this.#recordNext();
    });
  }

  async #recordNext(): Promise<void> {
    this.#underWay++;
    await this.#settle(this.#takeNext());
    this.#underWay--;
    if (this.#waiting.length > 0) this.#call();
  }

  #takeNext(): Waiting[] {
    let entries = 0;
    let taken = 0;
    for (const one of this.#waiting) {
      entries += one.entries.length;
      if (taken > 0 && entries > ENTRIES_AT_ONCE) break;
      taken++;
    }
    return this.#waiting.splice(0, taken);
  }

  async #settle(together: readonly Waiting[]): Promise<void> {
    try {
      await this.#record(together.flatMap(({ entries }) => entries));
      for (const { resolve } of together) resolve();
    } catch (error) {
      if (together.length > 1 && !isDatabaseUnavailable(error)) {
        for (const one of together) await this.#settle([one]);
      } else for (const { reject } of together) reject(error);
    }
  }

  async #record(entries: readonly DeviceReceipts[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.receipts.record(entries, this.clock.now());
        return;
      } catch (error) {
        if (attempt >= ATTEMPTS || !isCollision(error)) throw error;
      }
    }
  }
}
