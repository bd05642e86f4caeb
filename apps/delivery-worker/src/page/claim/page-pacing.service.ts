import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  type AdmissionAnswer,
  keepsQuietHours,
  type PageToAdmit,
  admitPage,
  quietZonesAt,
  type SendTime,
  takeAnotherTime,
} from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type Executor,
  inTransaction,
  type MessageLimits,
  PacingRepository,
  type PageKey,
  type SteeredPage,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import type { TimeSource } from '../run/page-times';

/** A page's job runs this much after its turn, never before. */
const AFTER_TURN_MS = 2;

/** If the job of a page is lost, recovery makes another one this long after the page's turn. */
const SWEPT_AFTER_MS = 1_000;

/**
 * What pacing decides about a page: it is `admitted` and may be claimed, and is sent at its time (null: at any time);
 * it `waits` for its turn; or `none`: there is no such page, or it is not steered, not due, or claimed by another
 * worker.
 */
type PacingDecision =
  { kind: 'admitted'; time: SendTime | null } | { kind: 'waits'; delayMs: number } | { kind: 'none' };

/**
 * Releases pages of messages with a rate, and of applications with a limit or quiet hours, to their vendor when it is
 * time. Every decision is committed before it is returned, so any number of workers keep one pace together, and no
 * restart loses it.
 */
@Injectable()
export class PagePacing implements TimeSource {
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
      return this.#pace(executor, key, { ...page, devices });
    });
  }

  /** Takes devices off the page that have quiet hours now. @returns how many devices are left */
  async #putOffQuiet(executor: Executor, key: PageKey, page: SteeredPage, now: Date): Promise<number> {
    const { quietHours, lane, devices } = page;
    if (!keepsQuietHours(quietHours, lane)) return devices;
    const quiet = quietZonesAt(now, page, await this.pacing.readZones(executor, key));
    return quiet.length === 0 ? devices : this.pacing.putOffQuiet(executor, key, quiet, now);
  }

  async takeAnotherTime(key: PageKey, devices: number, missed: number): Promise<SendTime | null> {
    return inTransaction(this.database, async (executor) => {
      const limits = await this.pacing.readLimits(executor, key);
      if (limits === null || (limits.rate === null && limits.devicesPerSecond === null)) return null;
      const { decision } = await this.#ask(executor, key, { ...limits, devices, turn: null }, (page) =>
        takeAnotherTime(page, missed),
      );
      return decision.time;
    });
  }

  now(): number {
    return this.clock.now().getTime();
  }

  pass(ms: number): Promise<unknown> {
    return pause(ms, undefined, { ref: false });
  }

  async #pace(executor: Executor, key: PageKey, page: SteeredPage): Promise<PacingDecision> {
    const { rate, devicesPerSecond, turnAt, turnIsCounted, expiresAt } = page;
    let time: SendTime | null = null;
    if (rate !== null || devicesPerSecond !== null) {
      const turn = turnAt === null ? null : { at: turnAt.getTime(), isCounted: turnIsCounted };
      const { decision, now } = await this.#ask(executor, key, { ...page, turn }, admitPage);
      if (decision.kind === 'waits') {
        const at = Math.ceil(decision.at);
        const wakeAt = new Date(Math.min(at + SWEPT_AFTER_MS, expiresAt.getTime()));
        await this.pacing.postpone(executor, key, { at: new Date(at), isCounted: decision.isCounted, wakeAt });
        return { kind: 'waits', delayMs: at - now + AFTER_TURN_MS };
      }
      time = decision.time;
    }
    await this.pacing.admit(executor, key, this.clock.now());
    return { kind: 'admitted', time };
  }

  /** Asks the limits of a page, and records what they answer. */
  async #ask<Answer extends AdmissionAnswer>(
    executor: Executor,
    key: PageKey,
    page: MessageLimits & { devices: number; turn: PageToAdmit['turn'] },
    answerOf: (page: PageToAdmit) => Answer,
  ): Promise<{ decision: Answer['decision']; now: number }> {
    const { lane, rate, devicesPerSecond, devices, turn } = page;
    const paces = await this.pacing.lockPaces(executor, key, this.clock.now(), devicesPerSecond !== null);
    // Other workers may have held the paces for a while.
    const now = this.clock.now().getTime();
    const { decision, message, application } = answerOf({
      now,
      lane,
      devices,
      turn,
      message: { ...paces.message, perSecond: rate },
      application:
        devicesPerSecond === null ? null : { ...paces.application, perSecond: devicesPerSecond, sends: paces.sends },
    });
    await this.pacing.savePaces(executor, key, { message, application });
    return { decision, now };
  }
}
