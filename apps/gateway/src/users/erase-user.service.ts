import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ErasureResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  type ErasedUser,
  ErasedUsersRepository,
  type Erasure,
  ErasuresRepository,
  OptedOutNumbersRepository,
  patternOf,
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
    private readonly optedOutNumbers: OptedOutNumbersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly quiet: QuietUser,
    private readonly erasures: ErasuresRepository,
    private readonly erasedUsers: ErasedUsersRepository,
  ) {}

  /**
   * @returns how much went; zeros for an unknown user. Nothing that was accepted before leaves for the user then
   * @throws DomainError UNAVAILABLE when something is being sent to them for too long; the same call goes on
   */
  async erase(appId: string, userId: string): Promise<ErasureResponse> {
    const erasure = { appId, userId, erasureId: randomUUID() };
    await this.erasures.begin(erasure);
    return this.#run(erasure, false);
  }

  /**
   * Goes on with an erasure whose process died, or that was broken off.
   *
   * @returns false when there is none
   * @throws as `erase` does; the erasure can be resumed again then
   */
  async resume(): Promise<boolean> {
    const erasure = await this.erasures.takeForsaken();
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
        await this.erasures.breakOff(erasure);
        throw error;
      }
    }
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info({ appId: erasure.appId, ...erased, isResumed, durationMs }, 'user.erased');
    return erased;
  }

  async #hold(erasure: Erasure): Promise<void> {
    if (!(await this.erasures.hold(erasure))) throw new EndedElsewhere();
  }

  async #eraseAll(erasure: Erasure, erased: ErasureResponse): Promise<void> {
    const { appId, userId } = erasure;
    await this.optedOutNumbers.digest(appId);
    await this.quiet.writersEnded();
    const phone = await this.erasedUsers.findPhone(appId, userId);
    const user = { ...erasure, pattern: patternOf(phone === null ? [userId] : [userId, phone]) };
    await this.#eraseDevices(user, erased);
    await this.#eraseFromMessages(user, erased);
    await this.erasedUsers.eraseFromTagErrors(user);
    await this.erasedUsers.eraseIdempotencyKeys(user);
    await this.#eraseFromWebhookEvents(user);
    erased.links = (await this.erasures.finish(erasure)).links;
  }

  async #eraseDevices(user: ErasedUser, erased: ErasureResponse): Promise<void> {
    for (let gone = DEVICES_AT_ONCE; gone === DEVICES_AT_ONCE; erased.devices += gone) {
      await this.#hold(user);
      gone = await this.erasedUsers.removeDevices(user, DEVICES_AT_ONCE);
    }
    await this.erasedUsers.cancelFallbacks(user.appId, user.userId, this.clock.now());
    const deviceIds = await this.erasures.findDevices(user);
    await this.quiet.sendingEnded(user, deviceIds);
    for (let from = 0; from < deviceIds.length; from += DEVICES_AT_ONCE) {
      const some = deviceIds.slice(from, from + DEVICES_AT_ONCE);
      erased.deliveries += await this.#eraseDeliveries(user, () =>
        this.erasedUsers.eraseDeliveriesOf(user, some, DELIVERIES_AT_ONCE),
      );
      await this.erasedUsers.eraseInboxMarks(user.appId, some);
    }
    erased.deliveries += await this.#eraseDeliveries(user, () =>
      this.erasedUsers.eraseFormerDeliveries(user, DELIVERIES_AT_ONCE),
    );
  }

  async #eraseDeliveries(user: ErasedUser, eraseSome: () => Promise<number>): Promise<number> {
    let deliveries = 0;
    for (let found = DELIVERIES_AT_ONCE; found === DELIVERIES_AT_ONCE; deliveries += found) {
      await this.#hold(user);
      found = await eraseSome();
    }
    return deliveries;
  }

  async #eraseFromMessages(user: ErasedUser, erased: ErasureResponse): Promise<void> {
    for (;;) {
      await this.#hold(user);
      const step = await this.erasedUsers.eraseFromMessages(user, { now: this.clock.now(), limit: MESSAGES_AT_ONCE });
      erased.messages += step.messages;
      erased.deliveries += step.deliveries;
      if (step.messages === 0) return;
    }
  }

  async #eraseFromWebhookEvents(user: ErasedUser): Promise<void> {
    let after: WebhookEventPlace | null = { webhookId: FIRST_ID, eventId: FIRST_ID };
    while (after !== null) {
      const stretch: { after: WebhookEventPlace; limit: number } = { after, limit: EVENTS_AT_ONCE };
      await this.#hold(user);
      after = await this.erasedUsers.eraseFromWebhookEvents(user, stretch);
    }
  }
}
