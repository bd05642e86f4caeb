import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, deliveryStateRank } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  type DeviceReceipts,
  failPublishes,
  type Publish,
  recordAllReceipts,
  recordSentOnes,
  takeOutOfInboxes,
} from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import type { OutgoingDelivery } from '../session/outgoing-delivery';
import type { Session } from '../session/session';
import { HeldPages } from './held-pages.service';
import type { Failure, Outcome } from '../ledger/outcome';
import { SettledDeliveries } from './settled-deliveries';
import { WriteBehind } from './write-behind';

type FailedOne = Outcome & Failure;

/** A device's acknowledgements of a moment come together, and those of many devices. */
const GATHER_MS = 50;
const MOST_AT_ONCE = 2_000;
const LOOK_EVERY_MS = 10;
/** What waits to be recorded at most; beyond it the ledger offers the message again, and the device knows its id. */
const MOST_WAITING = 100_000;
const DELIVERED_RANK = deliveryStateRank('delivered');
const DELIVERED = { state: 'delivered', errorCode: null, reason: null } as const;
const SENT = { state: 'sent', errorCode: null, reason: null } as const;

/**
 * Records what became of deliveries that were published, many in one statement, and then lets their outboxes forget them. It
 * goes on trying while PostgreSQL is away, and holds a bounded number meanwhile: what is lost is published again.
 */
@Injectable()
export class Acknowledgements {
  readonly #acknowledged: WriteBehind<Outcome>;
  readonly #sent: WriteBehind<Outcome>;
  readonly #failed: WriteBehind<FailedOne>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly settled: SettledDeliveries,
    private readonly pages: HeldPages,
  ) {
    this.#acknowledged = this.#behind(async (together) => {
      const others = await this.pages.record(together, DELIVERED);
      if (others.length === 0) return;
      await recordAllReceipts(this.database, others.map(receiptOf), this.clock.now());
      await this.#takeOut(others);
    });
    this.#sent = this.#behind(async (together) => {
      const others = await this.pages.record(together, SENT);
      if (others.length === 0) return;
      await recordSentOnes(this.database, others.map(publishOf), this.clock.now());
      await this.#takeOut(others);
    });
    this.#failed = this.#behind((together) => this.#fail(together));
  }

  /** The device has it. */
  acknowledged(session: Session, delivery: OutgoingDelivery): void {
    this.#bring(this.#acknowledged, { session, delivery, at: this.clock.now() });
  }

  /** It was written, at most once, and nothing will be heard of it. */
  sent(session: Session, delivery: OutgoingDelivery): void {
    this.#bring(this.#sent, { session, delivery, at: this.clock.now() });
  }

  /** It can never be published to this device. */
  failed(session: Session, delivery: Outcome['delivery'], { state, errorCode, reason }: Failure): void {
    this.#bring(this.#failed, { session, delivery, at: this.clock.now(), state, errorCode, reason });
  }

  /** Resolves when nothing waits to be recorded any more, or after `limitMs`. */
  async allRecorded(limitMs: number): Promise<void> {
    const endsAt = performance.now() + limitMs;
    const books = [this.#acknowledged, this.#sent, this.#failed];
    while (books.some(({ size }) => size > 0) && performance.now() < endsAt) await pause(LOOK_EVERY_MS);
  }

  #bring<One extends Outcome>(book: WriteBehind<One>, outcome: One): void {
    const { session, delivery } = outcome;
    const { id } = delivery.message;
    if (!book.add(outcome)) session.outbox.forget(id);
    else if (session.identity !== null) this.settled.begin(id, session.identity.deviceId);
  }

  #behind<One extends Outcome>(write: (together: One[]) => Promise<void>): WriteBehind<One> {
    return new WriteBehind<One>({
      write,
      onWritten: (together) => this.#settle(together),
      onRefused: (error) => this.logger.error({ err: error }, 'acknowledgement.not-recorded'),
      most: MOST_AT_ONCE,
      atOnce: 1,
      gatherMs: GATHER_MS,
      capacity: MOST_WAITING,
    });
  }

  /** Few ever fail, and most of those for one reason. */
  async #fail(together: readonly FailedOne[]): Promise<void> {
    const byReason = new Map<string, FailedOne[]>();
    for (const one of together) {
      const key = `${one.state} ${one.errorCode} ${one.reason}`;
      byReason.set(key, [...(byReason.get(key) ?? []), one]);
    }
    for (const [first, ...rest] of byReason.values()) {
      if (first === undefined) continue;
      const { state, errorCode, reason } = first;
      const others = await this.pages.record([first, ...rest], { state, errorCode, reason });
      const failed = others.map((one) => ({ ...publishOf(one), state, errorCode, reason }));
      if (failed.length > 0) await failPublishes(this.database, failed, this.clock.now());
    }
  }

  /** The connection has those as well that a vendor had, or was given meanwhile. */
  async #takeOut(together: readonly Outcome[]): Promise<void> {
    const kept = together.filter(({ delivery }) => delivery.isKept || delivery.page !== null);
    if (kept.length > 0) await takeOutOfInboxes(this.database, kept.map(publishOf));
  }

  #settle(together: readonly Outcome[]): void {
    for (const { session, delivery } of together) {
      const { id } = delivery.message;
      if (session.identity !== null) this.settled.add(id, session.identity.deviceId);
      session.outbox.forget(id);
    }
  }
}

function publishOf({ session, delivery }: Outcome): Publish {
  return {
    appId: delivery.message.appId,
    deviceId: session.identity?.deviceId ?? '0',
    messageId: delivery.message.id,
  };
}

/** Field by field: it is made for every acknowledgement. */
function receiptOf({ session, delivery, at }: Outcome): DeviceReceipts {
  return {
    appId: delivery.message.appId,
    deviceId: session.identity?.deviceId ?? '0',
    messageId: delivery.message.id,
    state: 'delivered',
    rank: DELIVERED_RANK,
    deliveredAt: at,
    shownAt: null,
    openedAt: null,
    dismissedAt: null,
  };
}
