import { Inject, Injectable } from '@nestjs/common';
import type { ErasureResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  eraseDeliveries,
  eraseDevices,
  eraseFromMessages,
  eraseFromWebhookEvents,
  eraseUserRow,
  findDevicesToErase,
  holdUser,
  inRetriedTransaction,
  type MessagesOfUser,
  type WebhookEventPlace,
} from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';

const DEVICES_AT_ONCE = 100;
const MESSAGES_AT_ONCE = 500;
const EVENTS_AT_ONCE = 1_000;
/** A message that names many users is written anew whole. */
const ERASED_AT_ONCE = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Erases users: their devices, what was delivered to them, their names in messages and webhook events, and all that was sent to
 * them alone. In
 * small transactions: whoever stops in the middle, or runs beside another, may simply begin again. What is needed to find
 * the rest goes last.
 */
@Injectable()
export class EraseUser {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns how much went; zeros for an unknown user */
  async erase(appId: string, userId: string): Promise<ErasureResponse> {
    const startedAt = performance.now();
    const erased: ErasureResponse = { devices: 0, messages: 0, deliveries: 0, links: 0 };
    for (let links: number | null = null; links === null; erased.links = links ?? 0) {
      await this.#eraseDevices(appId, userId, erased);
      await this.#eraseFromMessages(appId, userId, erased);
      await this.#eraseFromWebhookEvents(appId, userId);
      links = await this.#eraseHimself(appId, userId);
    }
    this.logger.info({ appId, ...erased, durationMs: Math.round(performance.now() - startedAt) }, 'user.erased');
    return erased;
  }

  async #eraseDevices(appId: string, userId: string, erased: ErasureResponse): Promise<void> {
    for (;;) {
      const deviceIds = await findDevicesToErase(this.database, appId, userId, DEVICES_AT_ONCE);
      if (deviceIds.length === 0) return;
      for (const which of ['named', 'groups'] as const) {
        erased.deliveries += await this.#eraseDeliveries(appId, { userId, deviceIds }, which);
      }
      erased.devices += await inRetriedTransaction(this.database, (executor) =>
        eraseDevices(executor, appId, userId, deviceIds),
      );
    }
  }

  /** @returns the links that went; null when a device was registered for him meanwhile, and nothing went */
  async #eraseHimself(appId: string, userId: string): Promise<number | null> {
    return inRetriedTransaction(this.database, async (executor) => {
      await holdUser(executor, appId, userId);
      const since = await findDevicesToErase(executor, appId, userId, 1);
      return since.length > 0 ? null : (await eraseUserRow(executor, appId, userId)).links;
    });
  }

  async #eraseDeliveries(
    appId: string,
    user: { userId: string; deviceIds: readonly string[] },
    which: MessagesOfUser,
  ): Promise<number> {
    let deliveries = 0;
    for (let afterId: string | null = FIRST_ID; afterId !== null;) {
      const stretch = { which, afterId, limit: MESSAGES_AT_ONCE };
      const erased: { deliveries: number; through: string | null } = await inRetriedTransaction(
        this.database,
        (executor) => eraseDeliveries(executor, appId, user, stretch),
      );
      deliveries += erased.deliveries;
      afterId = erased.through;
    }
    return deliveries;
  }

  async #eraseFromMessages(appId: string, userId: string, erased: ErasureResponse): Promise<void> {
    for (;;) {
      const step = await inRetriedTransaction(this.database, (executor) =>
        eraseFromMessages(executor, appId, userId, { now: this.clock.now(), limit: ERASED_AT_ONCE }),
      );
      erased.messages += step.messages;
      erased.deliveries += step.deliveries;
      if (step.messages === 0) return;
    }
  }

  async #eraseFromWebhookEvents(appId: string, userId: string): Promise<void> {
    let after: WebhookEventPlace | null = { webhookId: FIRST_ID, eventId: FIRST_ID };
    while (after !== null) {
      const stretch: { after: WebhookEventPlace; limit: number } = { after, limit: EVENTS_AT_ONCE };
      after = await inRetriedTransaction(this.database, (executor) =>
        eraseFromWebhookEvents(executor, appId, userId, stretch),
      );
    }
  }
}
