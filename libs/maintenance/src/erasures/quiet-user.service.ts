import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, type Clock, DomainError } from '@postrider/domain';
import { type Erasure, ErasuresRepository, OwnerChangesRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { FormerOwner } from '../connections/former-owner.service';

const LOOK_EVERY_MS = 20;
/** Longer than a worker's lease and than a vendor takes. */
const WITHIN_MS = 20_000;
const RETRY_SECONDS = 10;

/** Waits until nothing that began before an erasure can write or send for its user any more. */
@Injectable()
export class QuietUser {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly erasures: ErasuresRepository,
    private readonly ownerChanges: OwnerChangesRepository,
    private readonly formerOwner: FormerOwner,
  ) {}

  /**
   * Resolves when every transaction that did not know of the erasure has ended. Transactions that know of it write
   * nothing for the user.
   * @throws DomainError UNAVAILABLE if one takes too long
   */
  async writersEnded(): Promise<void> {
    const earlier = await this.erasures.findEarlierWriters();
    await this.#until(async () => {
      if (earlier.length === 0) return true;
      const open = new Set(await this.erasures.findEarlierWriters());
      return !earlier.some((writer) => open.has(writer));
    });
  }

  /**
   * Resolves when no worker and no edge has one of the user's former devices in hand, and none of the user's fallback SMS is
   * sent any more. A worker that claims a page later finds no device.
   * @throws DomainError UNAVAILABLE if one has it for too long: a late message would leave after the answer
   */
  async sendingEnded({ appId, userId }: Erasure, deviceIds: readonly DeviceId[]): Promise<void> {
    await this.erasures.endFallbacks(appId, userId, this.clock.now());
    for (const deviceId of await this.erasures.findConnected(appId, deviceIds)) {
      await this.formerOwner.removed(appId, deviceId);
    }
    const since = await this.ownerChanges.readTime();
    await this.#until(async () => !(await this.ownerChanges.isBeingClaimed(since)));
    const pages = await this.erasures.findPagesInHand(appId, deviceIds);
    await this.#until(async () => (await this.erasures.findStillInHand(appId, pages, this.clock.now())).length === 0);
    await this.#until(async () => !(await this.erasures.endFallbacks(appId, userId, this.clock.now())));
  }

  async #until(isQuiet: () => Promise<boolean>): Promise<void> {
    for (const giveUpAt = performance.now() + WITHIN_MS; !(await isQuiet());) {
      if (performance.now() > giveUpAt) {
        throw new DomainError(
          'UNAVAILABLE',
          'Something is still being sent to this user; repeat the request to continue the erasure',
          {
            retryAfterSeconds: RETRY_SECONDS,
          },
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  }
}
