import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  isDatabaseUnavailable,
  type PromoImport,
  PromoImportsRepository,
  type PromoSetKey,
  PromoSetsRepository,
  QUERY_CANCELLED,
  sqlState,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { BadPromoFile } from '../files/read-line';
import { ImportLost, LEASE_MS, ImportLease } from './import-lease';
import { SetSettlement } from './set-settlement.service';
import { StretchCopier } from './stretch-copier.service';

/** How often an import may fail by itself without progress, before it is given up. */
const MOST_ATTEMPTS = 5;
/**
 * How often it may be interrupted without progress: connections lost, workers killed. A restart of PostgreSQL or a
 * deployment interrupts it once or twice; a statement that kills its server process or its worker does so each time.
 */
const MOST_INTERRUPTIONS = 20;
const RETRY_AFTER_MS = 2_000;
/** PostgreSQL has no room (class 53, but for 53300: too many connections, which passes). */
const NO_ROOM = /^53(?!300)/;

/**
 * How a turn ended: the set is `in_force`; it `failed`, for `reason`; another worker is processing it (`held`); there
 * is nothing to import (`over`); or `signal` fired first (`unfinished`).
 */
export type ImportOutcome =
  | { kind: 'in_force'; total: number; lines: number; bytes: number }
  | { kind: 'failed'; failure: 'file' | 'service'; reason: string }
  | { kind: 'held'; untilMs: number }
  | { kind: 'over' | 'unfinished' };

/** Imports uploads of promo codes. */
@Injectable()
export class PromoImporter {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly imports: PromoImportsRepository,
    private readonly sets: PromoSetsRepository,
    private readonly copier: StretchCopier,
    private readonly settlement: SetSettlement,
  ) {}

  /**
   * Puts an upload into force as the set of its source, completely or not at all. The set before it stays in force
   * until the one transaction that replaces it. It may be killed, or run beside itself, at any moment: the next run
   * continues behind the last stretch that is noted.
   * @throws if PostgreSQL is away or an unforeseen error occurs; the import can be resumed soon. The import fails if it
   * goes wrong `MOST_ATTEMPTS` times, or is interrupted `MOST_INTERRUPTIONS` times, without progress in between
   */
  async import(key: PromoSetKey, signal: AbortSignal): Promise<ImportOutcome> {
    const now = this.clock.now();
    const held = await this.imports.take(key, { now, leaseEndsAt: new Date(now.getTime() + LEASE_MS) });
    if (held === null) return this.#whyNotTaken(key);
    const lease = new ImportLease(this.imports, this.clock, held);
    try {
      if (held.attempts >= MOST_ATTEMPTS) return await this.#fail(held, 'service', 'could not be imported');
      if (held.interruptions > MOST_INTERRUPTIONS) {
        const reason = `the import was interrupted ${MOST_INTERRUPTIONS} times without progress`;
        return await this.#fail(held, 'service', reason);
      }
      return await this.#carryOut(held, signal);
    } catch (error) {
      return await this.#endAfter(error, held);
    } finally {
      lease.stop();
    }
  }

  async #carryOut(held: PromoImport, signal: AbortSignal): Promise<ImportOutcome> {
    do {
      if (signal.aborted) {
        await this.imports.giveBack(held, this.clock.now());
        return { kind: 'unfinished' };
      }
      if (held.total === null) Object.assign(held, await this.copier.copyNext(held));
    } while (held.total === null && held.position < held.bytes);
    const total = await this.settlement.countCodes(held);
    const after = await this.settlement.leaveGivenCodes(held);
    await this.settlement.putInForce(held, after);
    return { kind: 'in_force', total, lines: held.lines, bytes: held.bytes };
  }

  async #whyNotTaken(key: PromoSetKey): Promise<ImportOutcome> {
    const set = await this.sets.find(key);
    return set?.state === 'importing' ? { kind: 'held', untilMs: LEASE_MS } : { kind: 'over' };
  }

  async #endAfter(error: unknown, held: PromoImport): Promise<ImportOutcome> {
    if (error instanceof ImportLost) return this.#whyNotTaken(held);
    if (error instanceof BadPromoFile) return this.#fail(held, 'file', error.message);
    if (NO_ROOM.test(sqlState(error) ?? '')) return this.#fail(held, 'service', 'there is no room for it');
    if (isFaultOfImport(error)) {
      const retryAt = new Date(this.clock.now().getTime() + RETRY_AFTER_MS);
      await this.imports.noteFault(held, retryAt).catch(() => undefined);
    }
    throw error;
  }

  async #fail(held: PromoImport, failure: 'file' | 'service', reason: string): Promise<ImportOutcome> {
    if (!(await this.imports.fail(held, { failure, reason, now: this.clock.now() }))) return { kind: 'over' };
    return { kind: 'failed', failure, reason };
  }
}

/** A lost connection says little of the import: it counts as an interruption. A statement that took too long does: it may take as long the next time. */
function isFaultOfImport(error: unknown): boolean {
  return !isDatabaseUnavailable(error) || sqlState(error) === QUERY_CANCELLED;
}
