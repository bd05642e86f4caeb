import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, groupBy, NO_DEVICE } from '@postrider/domain';
import {
  type DeviceReceipts,
  WaitingDeliveriesRepository,
  type Publish,
  type PublishInLanguage,
  ReceiptsRepository,
} from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import type { DeliveryFailure, DeviceSession } from '../session/device-session';
import type { OutgoingDelivery } from '../session/outgoing-delivery';
import { EdgePages, type Outcome } from './edge-pages.service';
import { SettledDeliveries } from './settled-deliveries';
import { WriteBehind } from './write-behind';

type FailedOutcome = Outcome & DeliveryFailure;

/** How long outcomes are collected for one statement. */
const GATHER_MS = 50;
const MOST_AT_ONCE = 2_000;
/**
 * The most outcomes that wait. Further ones are dropped: the message is published again, and the device ignores its id.
 */
const MOST_WAITING = 100_000;
const DELIVERED = { state: 'delivered', errorCode: null, reason: null } as const;
const SENT = { state: 'sent', errorCode: null, reason: null } as const;

/**
 * Records the outcomes of published deliveries, many in one statement, and then removes them from their outboxes. While
 * PostgreSQL is not available it retries, and holds a limited number: the messages of dropped outcomes are published again.
 */
@Injectable()
export class OutcomeRecorder {
  readonly #acknowledged: WriteBehind<Outcome>;
  readonly #sent: WriteBehind<Outcome>;
  readonly #failed: WriteBehind<FailedOutcome>;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly settled: SettledDeliveries,
    private readonly pages: EdgePages,
    private readonly deliveries: WaitingDeliveriesRepository,
    private readonly receipts: ReceiptsRepository,
  ) {
    this.#acknowledged = this.#writeBehind(async (outcomes) => {
      const others = await this.pages.record(outcomes, DELIVERED);
      if (others.length === 0) return;
      await this.#nameLanguages(others);
      await this.receipts.record(others.map(receiptOf), this.clock.now());
      await this.#endKept(others);
    });
    this.#sent = this.#writeBehind(async (outcomes) => {
      const others = await this.pages.record(outcomes, SENT);
      if (others.length === 0) return;
      await this.#nameLanguages(others);
      await this.deliveries.recordSent(others.map(publishOf), this.clock.now());
      await this.#endKept(others);
    });
    this.#failed = this.#writeBehind((outcomes) => this.#fail(outcomes));
  }

  /** The device acknowledged the delivery. */
  acknowledged(session: DeviceSession, delivery: OutgoingDelivery): void {
    this.#add(this.#acknowledged, { session, delivery, at: this.clock.now() });
  }

  /** The delivery was written with QoS 0: there will be no acknowledgement. */
  sent(session: DeviceSession, delivery: OutgoingDelivery): void {
    this.#add(this.#sent, { session, delivery, at: this.clock.now() });
  }

  /** The delivery can never be published to this device. */
  failed(session: DeviceSession, delivery: Outcome['delivery'], { state, errorCode, reason }: DeliveryFailure): void {
    this.#add(this.#failed, { session, delivery, at: this.clock.now(), state, errorCode, reason });
  }

  /** Resolves when all outcomes are recorded, or after `limitMs`. */
  async allRecorded(limitMs: number): Promise<void> {
    const queues = [this.#acknowledged, this.#sent, this.#failed];
    const limit = new AbortController();
    const drained = Promise.all(queues.map((queue) => queue.drain()));
    await Promise.race([drained, pause(limitMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
  }

  #add<One extends Outcome>(queue: WriteBehind<One>, outcome: One): void {
    const { session, delivery } = outcome;
    const { id } = delivery.message;
    if (!queue.add(outcome)) session.outbox.forget(id);
    else if (session.identity !== null) this.settled.begin(id, session.identity.deviceId);
  }

  #writeBehind<One extends Outcome>(write: (outcomes: One[]) => Promise<void>): WriteBehind<One> {
    return new WriteBehind<One>({
      write,
      onWritten: (outcomes) => this.#settle(outcomes),
      onRefused: (error, outcome) => this.#giveUp(error, outcome),
      maxSize: MOST_AT_ONCE,
      concurrency: 1,
      maxWaitMs: GATHER_MS,
      capacity: MOST_WAITING,
    });
  }

  /** One statement for each reason. Few deliveries fail, and most of them for one reason. */
  async #fail(outcomes: readonly FailedOutcome[]): Promise<void> {
    const byReason = groupBy(outcomes, ({ state, errorCode, reason }) => `${state} ${errorCode} ${reason}`);
    for (const ofReason of byReason.values()) {
      const [{ state, errorCode, reason }] = ofReason;
      const others = await this.pages.record(ofReason, { state, errorCode, reason });
      const failed = others.map((one) => ({ ...publishOf(one), state, errorCode, reason }));
      if (failed.length > 0) await this.deliveries.fail(failed, this.clock.now());
      await this.#endKept(others);
    }
  }

  /** Before the outcome: if the process ends in between, both are recorded again. */
  async #nameLanguages(outcomes: readonly Outcome[]): Promise<void> {
    const named = outcomes.flatMap((outcome): PublishInLanguage[] => {
      const { language } = outcome.delivery;
      return language === null ? [] : [{ ...publishOf(outcome), language }];
    });
    if (named.length > 0) await this.deliveries.nameLanguages(named);
  }

  /**
   * Messages that a vendor has too no longer wait for the connection. Any of them may have gone to a vendor since it was
   * read, because its acknowledgement was late.
   */
  async #endKept(outcomes: readonly Outcome[]): Promise<void> {
    await this.deliveries.endKept(outcomes.map(publishOf));
  }

  /**
   * The outcome can never be written: the delivery still waits in PostgreSQL. It stays in the outbox, so that this
   * connection does not get it again and again.
   */
  #giveUp(error: unknown, { session, delivery }: Outcome): void {
    this.logger.error({ err: error }, 'acknowledgement.not-recorded');
    if (session.identity !== null) this.settled.add(delivery.message.id, session.identity.deviceId);
  }

  #settle(outcomes: readonly Outcome[]): void {
    for (const { session, delivery } of outcomes) {
      const { id } = delivery.message;
      if (session.identity !== null) this.settled.add(id, session.identity.deviceId);
      session.outbox.forget(id);
    }
  }
}

function publishOf({ session, delivery }: Outcome): Publish {
  return {
    appId: delivery.message.appId,
    deviceId: session.identity?.deviceId ?? NO_DEVICE,
    messageId: delivery.message.id,
  };
}

/** Written out field by field, because it runs for every acknowledgement. */
function receiptOf({ session, delivery, at }: Outcome): DeviceReceipts {
  return {
    appId: delivery.message.appId,
    deviceId: session.identity?.deviceId ?? NO_DEVICE,
    messageId: delivery.message.id,
    state: 'delivered',
    deliveredAt: at,
    shownAt: null,
    openedAt: null,
    dismissedAt: null,
  };
}
