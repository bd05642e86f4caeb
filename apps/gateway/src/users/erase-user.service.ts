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
  digestOptedOutNumbers,
  endErasure,
  eraseDevices,
  eraseFromMessages,
  eraseFromTagErrors,
  eraseFromWebhookEvents,
  eraseInboxMarks,
  eraseNames,
  eraseUserRow,
  eraseWhatHangsOn,
  type Erasure,
  findErasedDevices,
  findPhoneOf,
  holdErasure,
  inRetriedTransaction,
  patternOf,
  PhoneKeys,
  unnameDeliveries,
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

/**
 * Erases users: their devices, their names in messages, statistics and webhook events, and all that was sent to them alone. What
 * was counted stays counted. Meanwhile nothing is written for the user anew, so that it has an end however busy they are.
 *
 * In small transactions: whoever stops in the middle, or runs beside another, may simply begin again. What is needed to find the
 * rest goes last.
 */
@Injectable()
export class EraseUser {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly quiet: QuietUser,
    private readonly phoneKeys: PhoneKeys,
  ) {}

  /**
   * @returns how much went; zeros for an unknown user. Nothing that was accepted before leaves for the user then
   * @throws DomainError UNAVAILABLE when something is being sent to them for too long; the same call goes on
   */
  async erase(appId: string, userId: string): Promise<ErasureResponse> {
    const startedAt = performance.now();
    const erasure = { appId, userId, erasureId: randomUUID() };
    const erased: ErasureResponse = { devices: 0, messages: 0, deliveries: 0, links: 0 };
    await beginErasure(this.database, erasure);
    try {
      await this.#eraseAll(erasure, erased);
    } catch (error) {
      await breakOffErasure(this.database, erasure);
      throw error;
    }
    this.logger.info({ appId, ...erased, durationMs: Math.round(performance.now() - startedAt) }, 'user.erased');
    return erased;
  }

  async #eraseAll(erasure: Erasure, erased: ErasureResponse): Promise<void> {
    const { appId, userId } = erasure;
    await digestOptedOutNumbers(this.database, appId, await this.phoneKeys.digest());
    await this.quiet.writersEnded();
    const phone = await findPhoneOf(this.database, appId, userId);
    const user = { ...erasure, pattern: patternOf(phone === null ? [userId] : [userId, phone]) };
    await this.#eraseDevices(user, erased);
    await this.#eraseFromMessages(user, erased);
    await eraseFromTagErrors(this.database, appId, user.pattern);
    await this.#eraseFromWebhookEvents(user);
    erased.links = await inRetriedTransaction(this.database, async (executor) => {
      const { links } = await eraseUserRow(executor, appId, userId);
      await endErasure(executor, erasure);
      return links;
    });
  }

  async #eraseDevices(user: Erased, erased: ErasureResponse): Promise<void> {
    for (let gone = DEVICES_AT_ONCE; gone === DEVICES_AT_ONCE; erased.devices += gone) {
      await holdErasure(this.database, user);
      gone = await inRetriedTransaction(this.database, (executor) => eraseDevices(executor, user, DEVICES_AT_ONCE));
    }
    await cancelFallbacksOf(this.database, user.appId, user.userId, this.clock.now());
    const deviceIds = await findErasedDevices(this.database, user);
    await this.quiet.sendingEnded(user, deviceIds);
    for (let from = 0; from < deviceIds.length; from += DEVICES_AT_ONCE) {
      erased.deliveries += await this.#eraseDeliveries(user, deviceIds.slice(from, from + DEVICES_AT_ONCE));
    }
  }

  async #eraseDeliveries(user: Erased, deviceIds: readonly string[]): Promise<number> {
    let deliveries = 0;
    for (let found = DELIVERIES_AT_ONCE; found === DELIVERIES_AT_ONCE; deliveries += found) {
      await holdErasure(this.database, user);
      found = await inRetriedTransaction(this.database, async (executor) => {
        const keys = await unnameDeliveries(executor, user.appId, deviceIds, DELIVERIES_AT_ONCE);
        await eraseWhatHangsOn(executor, user.appId, keys);
        await eraseNames(executor, user.appId, user, [...new Set(keys.messageIds)]);
        return keys.messageIds.length;
      });
    }
    await eraseInboxMarks(this.database, user.appId, deviceIds);
    return deliveries;
  }

  async #eraseFromMessages(user: Erased, erased: ErasureResponse): Promise<void> {
    for (;;) {
      await holdErasure(this.database, user);
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
      await holdErasure(this.database, user);
      after = await inRetriedTransaction(this.database, (executor) =>
        eraseFromWebhookEvents(executor, user.appId, user.userId, stretch),
      );
    }
  }
}
