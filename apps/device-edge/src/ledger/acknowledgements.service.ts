import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  countUnacknowledged,
  DATABASE,
  type Database,
  failPublishes,
  isDatabaseUnavailable,
  type Publish,
  ReceiptRecorder,
  recordSentOnes,
  takeOutOfInboxes,
} from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { setTimeout as pause } from 'node:timers/promises';
import { Batcher } from './batcher';

/** A publish that can never be made, and how its delivery ends. */
export type FailedPublish = Publish & { state: 'failed' | 'skipped'; errorCode: string; reason: string };

/** Between two tries to record something while PostgreSQL is away. */
const TRY_AGAIN_MS = 500;
const LOOK_EVERY_MS = 10;
/** What waits to be recorded at most; beyond it the ledger offers the message again, and the device knows its id. */
const MOST_WAITING = 100_000;

/**
 * Records what became of deliveries that were published, many in one statement. It goes on trying while PostgreSQL is away,
 * and holds a bounded number meanwhile: what is lost is published again.
 */
@Injectable()
export class Acknowledgements {
  readonly #sent: Batcher<Publish, undefined>;
  readonly #kept: Batcher<Publish, undefined>;
  readonly #failed: Batcher<FailedPublish, undefined>;
  #waiting = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly receipts: ReceiptRecorder,
  ) {
    this.#sent = this.#batcher((publishes) => recordSentOnes(this.database, publishes, this.clock.now()));
    this.#kept = this.#batcher((publishes) => takeOutOfInboxes(this.database, publishes));
    this.#failed = this.#batcher((publishes) => failPublishes(this.database, publishes, this.clock.now()));
  }

  /** The device has it. Resolves when that is recorded, or never will be. */
  async acknowledged({ appId, deviceId, messageId }: Publish, isKept: boolean): Promise<void> {
    const receipt = { messageId, kind: 'delivered', at: this.clock.now() } as const;
    await this.#persistently(async () => {
      await this.receipts.record(appId, deviceId, [receipt]);
      if (isKept) await this.#kept.add({ appId, deviceId, messageId });
    });
  }

  /** It was written, at most once, and nothing will be heard of it. */
  async sent(publish: Publish, isKept: boolean): Promise<void> {
    await this.#persistently(async () => {
      await this.#sent.add(publish);
      if (isKept) await this.#kept.add(publish);
    });
  }

  async failed(publish: FailedPublish): Promise<void> {
    await this.#persistently(() => this.#failed.add(publish));
  }

  /** These were in flight when their connection ended. Best effort: it is only told to the device the next time. */
  unacknowledged(publishes: readonly Publish[]): void {
    if (publishes.length === 0) return;
    countUnacknowledged(this.database, publishes).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'publishes.not-counted');
    });
  }

  /** Resolves when nothing waits to be recorded any more, or after `limitMs`. */
  async allRecorded(limitMs: number): Promise<void> {
    const endsAt = performance.now() + limitMs;
    while (this.#waiting > 0 && performance.now() < endsAt) await pause(LOOK_EVERY_MS);
  }

  #batcher<One>(work: (together: One[]) => Promise<void>): Batcher<One, undefined> {
    return new Batcher(async (together) => {
      await work(together);
      return together.map(() => undefined);
    }, 1_000);
  }

  async #persistently(work: () => Promise<unknown>): Promise<void> {
    if (this.#waiting >= MOST_WAITING) return;
    this.#waiting++;
    try {
      while (!(await this.#isDone(work))) await pause(TRY_AGAIN_MS, undefined, { ref: false });
    } finally {
      this.#waiting--;
    }
  }

  async #isDone(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return false;
      this.logger.error({ err: error }, 'acknowledgement.not-recorded');
      return true;
    }
  }
}
