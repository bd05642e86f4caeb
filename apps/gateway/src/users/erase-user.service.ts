import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ErasureResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  beginErasure,
  breakOffErasure,
  cancelFallbacksOf,
  type Database,
  DATABASE,
  type DeliveryKeys,
  endErasure,
  eraseDevices,
  eraseFromMessages,
  eraseFromTagErrors,
  eraseFromWebhookEvents,
  eraseIdempotencyKeys,
  eraseInboxMarks,
  eraseNames,
  eraseUserRow,
  eraseWhatHangsOn,
  type Erasure,
  type Executor,
  findErasedDevices,
  findPhoneOf,
  holdErasure,
  inRetriedTransaction,
  OptedOutNumbersRepository,
  patternOf,
  takeForsakenErasure,
  unnameDeliveries,
  unnameFormerDeliveries,
  type WebhookEventPlace,
} from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { QuietUser } from './quiet-user.service';

const DEVICES_AT_ONCE = 100;
const DELIVERIES_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 1_000;
/** A message that names many users is written anew whole. */
const MESSAGES_AT_ONCE = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** A user under erasure, and what finds them in texts. */
interface Erased extends Erasure {
  pattern: string;
}

/** Another process has ended the erasure: there is nothing left to do. */
class EndedElsewhere extends Error {}

/**
 * Erases users: their devices, their names in messages, statistics and webhook events, and all that was sent to them alone. What
 * was counted stays counted. Meanwhile nothing is written for the user anew, so that it has an end however busy they are.
 *
 * In small transactions: whoever stops in the middle, or runs beside another, may simply begin again. What is needed to find the
 * rest goes last. One that nobody goes on with is gone on with by whoever calls `resume`.
 */
@Injectable()
export class EraseUser {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly optedOutNumbers: OptedOutNumbersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly quiet: QuietUser,
  ) {}

  /**
   * @returns how much went; zeros for an unknown user. Nothing that was accepted before leaves for the user then
   * @throws DomainError UNAVAILABLE when something is being sent to them for too long; the same call goes on
   */
  async erase(appId: string, userId: string): Promise<ErasureResponse> {
    const erasure = { appId, userId, erasureId: randomUUID() };
    await beginErasure(this.database, erasure);
    return this.#run(erasure, false);
  }

  /**
   * Goes on with an erasure whose process died, or that was broken off.
   *
   * @returns false when there is none
   * @throws as `erase` does; the erasure can be resumed again then
   */
  async resume(): Promise<boolean> {
    const erasure = await takeForsakenErasure(this.database);
    if (erasure !== null) await this.#run(erasure, true);
    return erasure !== null;
  }

  async #run(erasure: Erasure, isResumed: boolean): Promise<ErasureResponse> {
    const startedAt = performance.now();
    const erased: ErasureResponse = { devices: 0, messages: 0, deliveries: 0, links: 0 };
    try {
      await this.#eraseAll(erasure, erased);
    } catch (error) {
      if (!(error instanceof EndedElsewhere)) {
        await breakOffErasure(this.database, erasure);
        throw error;
      }
    }
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info({ appId: erasure.appId, ...erased, isResumed, durationMs }, 'user.erased');
    return erased;
  }

  async #hold(erasure: Erasure): Promise<void> {
    if (!(await holdErasure(this.database, erasure))) throw new EndedElsewhere();
  }

  async #eraseAll(erasure: Erasure, erased: ErasureResponse): Promise<void> {
    const { appId, userId } = erasure;
    await this.optedOutNumbers.digest(appId);
    await this.quiet.writersEnded();
    const phone = await findPhoneOf(this.database, appId, userId);
    const user = { ...erasure, pattern: patternOf(phone === null ? [userId] : [userId, phone]) };
    await this.#eraseDevices(user, erased);
    await this.#eraseFromMessages(user, erased);
    await eraseFromTagErrors(this.database, appId, user.pattern);
    await eraseIdempotencyKeys(this.database, appId, user.pattern);
    await this.#eraseFromWebhookEvents(user);
    erased.links = await inRetriedTransaction(this.database, async (executor) => {
      const { links } = await eraseUserRow(executor, appId, userId);
      await endErasure(executor, erasure);
      return links;
    });
  }

  async #eraseDevices(user: Erased, erased: ErasureResponse): Promise<void> {
    for (let gone = DEVICES_AT_ONCE; gone === DEVICES_AT_ONCE; erased.devices += gone) {
      await this.#hold(user);
      gone = await inRetriedTransaction(this.database, (executor) => eraseDevices(executor, user, DEVICES_AT_ONCE));
    }
    await cancelFallbacksOf(this.database, user.appId, user.userId, this.clock.now());
    const deviceIds = await findErasedDevices(this.database, user);
    await this.quiet.sendingEnded(user, deviceIds);
    for (let from = 0; from < deviceIds.length; from += DEVICES_AT_ONCE) {
      const some = deviceIds.slice(from, from + DEVICES_AT_ONCE);
      erased.deliveries += await this.#eraseDeliveries(user, (executor) =>
        unnameDeliveries(executor, user.appId, some, DELIVERIES_AT_ONCE),
      );
      await eraseInboxMarks(this.database, user.appId, some);
    }
    erased.deliveries += await this.#eraseDeliveries(user, (executor) =>
      unnameFormerDeliveries(executor, user.appId, user.userId, DELIVERIES_AT_ONCE),
    );
  }

  async #eraseDeliveries(user: Erased, unname: (executor: Executor) => Promise<DeliveryKeys>): Promise<number> {
    let deliveries = 0;
    for (let found = DELIVERIES_AT_ONCE; found === DELIVERIES_AT_ONCE; deliveries += found) {
      await this.#hold(user);
      found = await inRetriedTransaction(this.database, async (executor) => {
        const keys = await unname(executor);
        await eraseWhatHangsOn(executor, user.appId, keys);
        await eraseNames(executor, user.appId, user, [...new Set(keys.messageIds)]);
        return keys.messageIds.length;
      });
    }
    return deliveries;
  }

  async #eraseFromMessages(user: Erased, erased: ErasureResponse): Promise<void> {
    for (;;) {
      await this.#hold(user);
      const step = await inRetriedTransaction(this.database, (executor) =>
        eraseFromMessages(executor, user.appId, user, { now: this.clock.now(), limit: MESSAGES_AT_ONCE }),
      );
      erased.messages += step.messages;
      erased.deliveries += step.deliveries;
      if (step.messages === 0) return;
    }
  }

  async #eraseFromWebhookEvents(user: Erased): Promise<void> {
    let after: WebhookEventPlace | null = { webhookId: FIRST_ID, eventId: FIRST_ID };
    while (after !== null) {
      const stretch: { after: WebhookEventPlace; limit: number } = { after, limit: EVENTS_AT_ONCE };
      await this.#hold(user);
      after = await inRetriedTransaction(this.database, (executor) =>
        eraseFromWebhookEvents(executor, user.appId, user, stretch),
      );
    }
  }
}
