import { Inject, Injectable } from '@nestjs/common';
import type { ErasureResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  eraseDeliveries,
  eraseDevices,
  eraseFromMessages,
  eraseUserRow,
  findDevicesToErase,
  inRetriedTransaction,
  type MessagesOfUser,
} from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';

const DEVICES_AT_ONCE = 100;
const MESSAGES_AT_ONCE = 500;
/** A message that names many users is written anew whole. */
const ERASED_AT_ONCE = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Erases users: their devices, what was delivered to them, their names in messages and all that was sent to them alone. In
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
    for (;;) {
      const deviceIds = await findDevicesToErase(this.database, appId, userId, DEVICES_AT_ONCE);
      if (deviceIds.length === 0) break;
      for (const which of ['named', 'groups'] as const) {
        erased.deliveries += await this.#eraseDeliveries(appId, { userId, deviceIds }, which);
      }
      erased.devices += await inRetriedTransaction(this.database, (executor) =>
        eraseDevices(executor, appId, userId, deviceIds),
      );
    }
    await this.#eraseFromMessages(appId, userId, erased);
    const { links } = await inRetriedTransaction(this.database, (executor) => eraseUserRow(executor, appId, userId));
    erased.links = links;
    this.logger.info({ appId, ...erased, durationMs: Math.round(performance.now() - startedAt) }, 'user.erased');
    return erased;
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
}
