import { Inject, Injectable } from '@nestjs/common';
import { type Clock, type DeviceId, isUuid } from '@postrider/domain';
import { Batcher, CLOCK } from '@postrider/platform';
import { isDatabaseUnavailable } from '../database/is-database-unavailable';
import { retryCollisions } from '../database/retried-transaction';
import type { MessageKey } from '../partitions/message-key';
import { combineReceipts, type DeviceReceipts, type Receipt } from './receipt';
import { ReceiptsRepository } from './receipts.repository';
import { LRUCache } from 'lru-cache';
import { heldLink } from './held-link';

/** The number of messages whose links are remembered: people follow links of the last few messages. */
const REMEMBERED = 1_000;

/**
 * Gives followed links the names that their messages have for them. Remembers the links of the last messages, which do
 * not change.
 */
class HeldLinks {
  readonly #known = new LRUCache<string, Promise<string[]>>({ max: REMEMBERED });

  constructor(private readonly receipts: ReceiptsRepository) {}

  /** @returns the template of a personal link; any other link unchanged */
  async nameOf({ appId, messageId }: MessageKey, followed: string): Promise<string> {
    return heldLink(await this.#linksOf(appId, messageId), followed) ?? followed;
  }

  #linksOf(appId: string, messageId: string): Promise<string[]> {
    const key = `${appId} ${messageId}`;
    let links = this.#known.get(key);
    if (links === undefined) {
      links = this.receipts.findLinks(appId, messageId);
      this.#known.set(key, links);
      links.catch(() => this.#known.delete(key));
    }
    return links;
  }
}

/**
 * The number of statements at the same time. What comes while they run waits, and goes together in the next statement.
 */
const STATEMENTS_AT_ONCE = 2;
/** A statement with this many entries takes some tens of milliseconds. */
const MAX_ENTRIES = 500;

/**
 * Records receipts of many devices in common statements: a busy process commits once for hundreds of devices, an idle
 * one at once. A process needs one recorder. A receipt is recorded when its promise resolves. A receipt that PostgreSQL
 * refuses fails alone.
 */
@Injectable()
export class ReceiptRecorder {
  readonly #batcher: Batcher<DeviceReceipts[]>;
  /** Gives followed links the names that their messages have for them. */
  readonly links: HeldLinks;

  constructor(
    private readonly receipts: ReceiptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.links = new HeldLinks(receipts);
    this.#batcher = new Batcher({
      work: (reports) => this.#record(reports.flat()),
      sizeOf: (entries) => entries.length,
      maxItems: MAX_ENTRIES,
      concurrency: STATEMENTS_AT_ONCE,
      splitsOn: (error) => !isDatabaseUnavailable(error),
    });
  }

  /**
   * Records what one device reported. Safe to repeat, in any order. Messages that are unknown, or were not meant for
   * the device, are skipped.
   *
   * @param deviceId `installations.id`
   */
  async record(appId: string, deviceId: DeviceId, receipts: readonly Receipt[]): Promise<void> {
    const now = this.clock.now();
    const named = await this.#nameLinks(appId, await this.receipts.nameMessages(appId, deviceId, receipts, now));
    const entries = combineReceipts({ appId, deviceId }, named, now);
    if (entries.length > 0) await this.#batcher.add(entries);
  }

  /** A personal link counts under its template. */
  #nameLinks(appId: string, receipts: readonly Receipt[]): Promise<Receipt[]> {
    return Promise.all(
      receipts.map(async (receipt) => {
        const { kind, messageId, link } = receipt;
        if (kind !== 'link' || !link || messageId === null || !isUuid(messageId)) return receipt;
        return { ...receipt, link: await this.links.nameOf({ appId, messageId: messageId.toLowerCase() }, link) };
      }),
    );
  }

  #record(entries: readonly DeviceReceipts[]): Promise<void> {
    return retryCollisions(() => this.receipts.record(entries, this.clock.now()));
  }
}
