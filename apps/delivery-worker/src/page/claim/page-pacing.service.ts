import { Inject, Injectable } from '@nestjs/common';
import { type Clock, keepsQuietHours, type PaceMark, passGate, quietZonesAt } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type Executor,
  inTransaction,
  PacingRepository,
  type PageKey,
  type SteeredPage,
  type StoredPace,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';

/** A page's job runs this much after its turn, never before. */
const AFTER_TURN_MS = 2;

/** If the job of a page is lost, recovery makes another one this long after the page's turn. */
const SWEPT_AFTER_MS = 1_000;

/**
 * What pacing decides about a page: it is `admitted` and may be claimed; it `waits` for its turn; or `none`: there is
 * no such page, or it is not steered, not due, or claimed by another worker.
 */
export type PacingDecision = { kind: 'admitted' } | { kind: 'waits'; delayMs: number } | { kind: 'none' };

/**
 * Releases pages of messages with a rate, and of applications with a limit or quiet hours, to their vendor when it is
 * time. Every decision is committed before it is returned, so any number of workers keep one pace together, and no
 * restart loses it.
 */
@Injectable()
export class PagePacing {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly pacing: PacingRepository,
  ) {}

  /** Decides whether a page may be claimed now, and records it. */
  async admit({ appId, messageId, pageId }: PageKey): Promise<PacingDecision> {
    const key = { appId, messageId, pageId };
    return inTransaction(this.database, async (executor) => {
      const now = this.clock.now();
      const page = await this.pacing.lockPage(executor, key, now);
      if (page === null) return { kind: 'none' };
      const devices = await this.#putOffQuiet(executor, key, page, now);
      if (devices === 0) return { kind: 'none' };
      return this.#pace(executor, key, { ...page, devices }, now);
    });
  }

  /** Takes devices off the page that have quiet hours now. @returns how many devices are left */
  async #putOffQuiet(executor: Executor, key: PageKey, page: SteeredPage, now: Date): Promise<number> {
    const { quietHours, lane, devices } = page;
    if (!keepsQuietHours(quietHours, lane)) return devices;
    const quiet = quietZonesAt(now, page, await this.pacing.readZones(executor, key));
    return quiet.length === 0 ? devices : this.pacing.putOffQuiet(executor, key, quiet, now);
  }

  async #pace(executor: Executor, key: PageKey, page: SteeredPage, now: Date): Promise<PacingDecision> {
    const { rate, devicesPerSecond, turnAt, turnIsCounted, expiresAt } = page;
    if (rate !== null || devicesPerSecond !== null) {
      const paces = await this.pacing.lockPaces(executor, key, now, devicesPerSecond !== null);
      const { waitsFor, message, application } = passGate({
        now: now.getTime(),
        lane: page.lane,
        devices: page.devices,
        turn: turnAt === null ? null : { at: turnAt.getTime(), isCounted: turnIsCounted },
        message: { ...markOf(paces.message), perSecond: rate },
        application:
          devicesPerSecond === null
            ? null
            : { ...markOf(paces.application), perSecond: devicesPerSecond, sends: paces.sends },
      });
      await this.pacing.savePaces(executor, key, {
        message: storedOf(message),
        application: application === null ? null : storedOf(application),
      });
      if (waitsFor !== null) {
        const wakeAt = new Date(Math.min(waitsFor.at + SWEPT_AFTER_MS, expiresAt.getTime()));
        await this.pacing.postpone(executor, key, { at: new Date(waitsFor.at), isCounted: waitsFor.isCounted, wakeAt });
        return { kind: 'waits', delayMs: Math.ceil(waitsFor.at - now.getTime()) + AFTER_TURN_MS };
      }
    }
    await this.pacing.admit(executor, key);
    return { kind: 'admitted' };
  }
}

function markOf({ nextAt, passedUntil }: StoredPace): PaceMark {
  return { nextAt: nextAt.getTime(), passedUntil: passedUntil.getTime() };
}

function storedOf({ nextAt, passedUntil }: PaceMark): StoredPace {
  return { nextAt: new Date(nextAt), passedUntil: new Date(passedUntil) };
}
