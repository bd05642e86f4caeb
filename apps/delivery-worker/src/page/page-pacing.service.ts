import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  firstTimeZone,
  keepsQuietHours,
  lastCallAt,
  type PaceMark,
  passGate,
  quietUntil,
} from '@postrider/domain';
import {
  admitPage,
  type Database,
  DATABASE,
  type Executor,
  inTransaction,
  lockPaces,
  lockSteeredPage,
  type PageKey,
  postponeTurn,
  putOffQuietDevices,
  type QuietZone,
  readPageZones,
  savePaces,
  type SteeredPage,
  type StoredPace,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';

/** A page's job comes this much after its turn, never before. */
const AFTER_TURN_MS = 2;

/** When its job is lost, the sweeper brings a page this long after its turn. */
const SWEPT_AFTER_MS = 1_000;

/**
 * What a page has to do with the gate: it `passed` and may be claimed; it `waits` for its turn; or there is `nothing` here for
 * the gate: no such page, not steered, not due, or in other hands.
 */
export type GateVerdict = { kind: 'passed' } | { kind: 'waits'; delayMs: number } | { kind: 'nothing' };

/**
 * Lets pages of messages with a rate, of applications with a limit or quiet hours, go to their vendor when it is time. Every
 * verdict stands in the ledger before it is given, so any number of workers keep one pace together, and no restart loses it.
 */
@Injectable()
export class Gate {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Asks whether a page may be claimed now. */
  async pass({ appId, messageId, pageId }: PageKey): Promise<GateVerdict> {
    const key = { appId, messageId, pageId };
    return inTransaction(this.database, async (executor) => {
      const now = this.clock.now();
      const page = await lockSteeredPage(executor, key, now);
      if (page === null) return { kind: 'nothing' };
      const devices = await this.#leaveAlone(executor, key, page, now);
      if (devices === 0) return { kind: 'nothing' };
      return this.#pace(executor, key, { ...page, devices }, now);
    });
  }

  /** Takes devices whose quiet hours it is off the page. @returns how many are left */
  async #leaveAlone(executor: Executor, key: PageKey, page: SteeredPage, now: Date): Promise<number> {
    const { quietHours, lane, startsAt, expiresAt, defaultTimeZone, devices } = page;
    if (quietHours === null || !keepsQuietHours(quietHours, lane)) return devices;
    const lastCall = lastCallAt(startsAt.getTime(), expiresAt.getTime());
    const quiet = (await readPageZones(executor, key)).flatMap((zone): QuietZone[] => {
      const until = quietUntil(quietHours, firstTimeZone(zone, defaultTimeZone), now.getTime());
      if (until === null) return [];
      return [{ zone, until: until < lastCall ? new Date(until) : null }];
    });
    return quiet.length === 0 ? devices : putOffQuietDevices(executor, key, quiet, now);
  }

  async #pace(executor: Executor, key: PageKey, page: SteeredPage, now: Date): Promise<GateVerdict> {
    const { rate, devicesPerSecond, turnAt, turnIsCounted, expiresAt } = page;
    if (rate !== null || devicesPerSecond !== null) {
      const paces = await lockPaces(executor, key, now, devicesPerSecond !== null);
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
      await savePaces(executor, key, {
        message: storedOf(message),
        application: application === null ? null : storedOf(application),
      });
      if (waitsFor !== null) {
        const wakeAt = new Date(Math.min(waitsFor.at + SWEPT_AFTER_MS, expiresAt.getTime()));
        await postponeTurn(executor, key, { at: new Date(waitsFor.at), isCounted: waitsFor.isCounted, wakeAt });
        return { kind: 'waits', delayMs: Math.ceil(waitsFor.at - now.getTime()) + AFTER_TURN_MS };
      }
    }
    await admitPage(executor, key);
    return { kind: 'passed' };
  }
}

function markOf({ nextAt, passedUntil }: StoredPace): PaceMark {
  return { nextAt: nextAt.getTime(), passedUntil: passedUntil.getTime() };
}

function storedOf({ nextAt, passedUntil }: PaceMark): StoredPace {
  return { nextAt: new Date(nextAt), passedUntil: new Date(passedUntil) };
}
