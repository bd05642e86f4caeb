import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, inParts } from '@postrider/domain';
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
/** A message that names many users is rewritten as a whole. */
const MESSAGES_AT_ONCE = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** How many rows of a user were erased. */
interface ErasedCounts {
  devices: number;
  messages: number;
  deliveries: number;
  links: number;
}

/** Runs before each step. Throws if the erasure must stop. */
type Hold = () => Promise<void>;

/** Another process has ended the erasure: there is nothing left to do. */
class EndedElsewhere extends Error {}

/**
 * Erases users: their devices, their names in messages, statistics and webhook events, and everything that was sent to
 * them alone. Counts stay as they are. Meanwhile nothing new is written for the user, so that the erasure ends however
 * busy they are.
 * It works in small transactions: a process that stops in the middle, or runs beside another, may simply begin again.
 * The rows that are needed to find the others are erased last. The gateway erases; the audience worker resumes what the
 * gateway does not finish (`ResumeErasures`).
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
   * @returns how much was erased; zeros for an unknown user. From then on, no message that was accepted before leaves
   * for the user
   * @throws DomainError UNAVAILABLE if something is being sent to them for too long; the same call continues
   */
  async erase(appId: string, userId: string): Promise<ErasedCounts> {
    const erasure = { appId, userId, erasureId: randomUUID() };
    await this.erasures.begin(erasure);
    return this.#run(erasure);
  }

  /**
   * Continues an erasure whose process died, or that was interrupted.
   * @param signal interrupts it between two steps: the next call continues
   * @returns false if there is none
   * @throws as `erase` does; the erasure can be resumed again then
   */
  async resume(signal: AbortSignal): Promise<boolean> {
    const erasure = await this.erasures.takeOverInterrupted();
    if (erasure !== null) await this.#run(erasure, signal);
    return erasure !== null;
  }

  /** @param signal of an erasure that is resumed */
  async #run(erasure: Erasure, signal?: AbortSignal): Promise<ErasedCounts> {
    const startedAt = performance.now();
    const erased: ErasedCounts = { devices: 0, messages: 0, deliveries: 0, links: 0 };
    try {
      await this.#eraseAll(erasure, erased, async () => {
        signal?.throwIfAborted();
        if (!(await this.erasures.hold(erasure))) throw new EndedElsewhere();
      });
    } catch (error) {
      if (!(error instanceof EndedElsewhere)) {
        await this.erasures.breakOff(erasure);
        if (signal?.aborted && error === signal.reason) return erased;
        throw error;
      }
    }
    const durationMs = Math.round(performance.now() - startedAt);
    const isResumed = signal !== undefined;
    this.logger.info({ appId: erasure.appId, ...erased, isResumed, durationMs }, 'user.erased');
    return erased;
  }

  async #eraseAll(erasure: Erasure, erased: ErasedCounts, hold: Hold): Promise<void> {
    const { appId, userId } = erasure;
    await this.optedOutNumbers.digest(appId);
    await this.quiet.writersEnded();
    const phone = await this.erasedUsers.findPhone(appId, userId);
    const user = { ...erasure, pattern: patternOf(phone === null ? [userId] : [userId, phone]) };
    await this.#eraseDevices(user, erased, hold);
    await this.#eraseFromMessages(user, erased, hold);
    await this.erasedUsers.eraseFromLineErrors(user);
    await this.erasedUsers.eraseFromDrafts(user);
    await this.erasedUsers.eraseIdempotencyKeys(user);
    await this.#eraseFromWebhookEvents(user, hold);
    erased.links = (await this.erasures.finish(erasure)).links;
  }

  async #eraseDevices(user: ErasedUser, erased: ErasedCounts, hold: Hold): Promise<void> {
    for (let gone = DEVICES_AT_ONCE; gone === DEVICES_AT_ONCE; erased.devices += gone) {
      await hold();
      gone = await this.erasedUsers.removeDevices(user, DEVICES_AT_ONCE);
    }
    const deviceIds = await this.erasures.findDevices(user);
    await this.quiet.sendingEnded(user, deviceIds);
    for (const some of inParts(deviceIds, DEVICES_AT_ONCE)) {
      erased.deliveries += await this.#eraseDeliveries(hold, () =>
        this.erasedUsers.eraseDeliveriesOf(user, some, DELIVERIES_AT_ONCE),
      );
      await this.erasedUsers.eraseInboxMarks(user.appId, some);
    }
    erased.deliveries += await this.#eraseDeliveries(hold, () =>
      this.erasedUsers.eraseFormerDeliveries(user, DELIVERIES_AT_ONCE),
    );
  }

  async #eraseDeliveries(hold: Hold, eraseSome: () => Promise<number>): Promise<number> {
    let deliveries = 0;
    for (let found = DELIVERIES_AT_ONCE; found === DELIVERIES_AT_ONCE; deliveries += found) {
      await hold();
      found = await eraseSome();
    }
    return deliveries;
  }

  async #eraseFromMessages(user: ErasedUser, erased: ErasedCounts, hold: Hold): Promise<void> {
    for (;;) {
      await hold();
      const step = await this.erasedUsers.eraseFromMessages(user, { now: this.clock.now(), limit: MESSAGES_AT_ONCE });
      erased.messages += step.messages;
      erased.deliveries += step.deliveries;
      if (step.messages === 0) return;
    }
  }

  async #eraseFromWebhookEvents(user: ErasedUser, hold: Hold): Promise<void> {
    let after: WebhookEventPlace | null = { webhookId: FIRST_ID, eventId: FIRST_ID };
    while (after !== null) {
      const stretch: { after: WebhookEventPlace; limit: number } = { after, limit: EVENTS_AT_ONCE };
      await hold();
      after = await this.erasedUsers.eraseFromWebhookEvents(user, stretch);
    }
  }
}
