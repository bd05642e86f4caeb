import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, Clock } from '@postrider/domain';
import { EdgesRepository, OwnerChangesRepository, type Installation } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { EdgeHints } from '@postrider/queues';

/** More than a live edge needs, and longer than it takes to detect a dead one, which holds no connection. */
const CLOSED_WITHIN_MS = 7_000;
/** Longer than a vendor's answer takes, and than a dead worker has its pages. */
const OUT_OF_HAND_WITHIN_MS = 15_000;
/** The first look again comes soon. Each further one waits twice as long: many changes at once would slow each other down. */
const LOOK_AGAIN_MS = { first: 10, most: 160 };

/**
 * Waits, after the commit of a change of owner, until the former owner's connection is closed and no worker has the
 * device on a page for them any more. Then the registration may be answered.
 */
@Injectable()
export class FormerOwner {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly ownerChanges: OwnerChangesRepository,
    private readonly edges: EdgesRepository,
    private readonly edgeHints: EdgeHints,
  ) {}

  /**
   * Resolves when no more messages for its former owner are sent to a device, or after some seconds if an edge or a
   * worker does not answer.
   */
  async changesOwner(appId: string, { deviceId, userId }: Pick<Installation, 'deviceId' | 'userId'>): Promise<void> {
    // Later than any message that was being accepted when the change was committed.
    const now = new Date(this.clock.now().getTime() + 1);
    const since = await this.ownerChanges.confirm({ appId, deviceId, userId }, now);
    await this.#leaves(appId, deviceId, since);
  }

  /** Resolves when nothing leaves for a device that was removed any more, or as `changesOwner`. */
  async removed(appId: string, deviceId: DeviceId): Promise<void> {
    await this.#leaves(appId, deviceId, await this.ownerChanges.readTime());
  }

  async #leaves(appId: string, deviceId: DeviceId, since: string): Promise<void> {
    const device = { appId, deviceId };
    await Promise.all([
      this.#connectionClosed(appId, deviceId),
      this.#until(OUT_OF_HAND_WITHIN_MS, device, async () => {
        return !(await this.ownerChanges.isInHand(device, since, this.clock.now()));
      }),
    ]);
  }

  async #connectionClosed(appId: string, deviceId: DeviceId): Promise<void> {
    const edgeIds = await this.edges.findClosing(appId, deviceId);
    if (edgeIds.length === 0) return;
    this.edgeHints.tellClosures(edgeIds);
    await this.#until(CLOSED_WITHIN_MS, { appId, deviceId }, async () => {
      return (await this.edges.findClosing(appId, deviceId)).length === 0;
    });
  }

  async #until(limitMs: number, device: object, isOver: () => Promise<boolean>): Promise<void> {
    const giveUpAt = performance.now() + limitMs;
    for (let waitMs = LOOK_AGAIN_MS.first; !(await isOver()); waitMs = Math.min(2 * waitMs, LOOK_AGAIN_MS.most)) {
      if (performance.now() > giveUpAt) {
        this.logger.warn({ ...device, limitMs }, 'owner-change.not-confirmed');
        return;
      }
      await pause(waitMs);
    }
  }
}
