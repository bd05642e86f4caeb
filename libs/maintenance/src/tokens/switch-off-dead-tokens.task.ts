import { Inject, Injectable } from '@nestjs/common';
import { type Clock, isSuspiciousDay, normalDeadShare, roundedShare } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type DeadTokensEnd,
  DeadTokensRepository,
  inTransaction,
  LOCK_IDS,
  type VendorKey,
  dueDeadTokens,
  type Sql,
} from '@postrider/persistence';
import { CLOCK, type Logger, LOGGER, METRICS } from '@postrider/platform';
import { Counter, type Registry } from 'prom-client';
import type { MaintenanceTask } from '../registry/maintenance-task';

const INTERVAL_MS = 2_000;
const ROUTES_A_RUN = 200;
/** A transaction that keeps others from counting answers for a moment only. */
const TOKENS_A_STEP = 1_000;

/**
 * Switches off tokens whose delay is over, each only if the device still has the token from the same registration and
 * has not registered it since. Begins a quarantine instead if too many of the day's answers said "dead". Runs
 * every two seconds.
 */
@Injectable()
export class SwitchOffDeadTokens implements MaintenanceTask {
  readonly name = 'switch-off-dead-tokens';
  readonly intervalMs = INTERVAL_MS;
  readonly lock = LOCK_IDS.switchOffDeadTokens;
  readonly #tokens: Counter;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly deadTokens: DeadTokensRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    // The delivery workers count what else is done with dead tokens under the same name, with other actions.
    this.#tokens = new Counter({
      name: 'postrider_dead_tokens_total',
      help: 'Tokens that a vendor called dead and that were switched off',
      labelNames: ['vendor', 'action'],
      registers: [registry],
    });
  }

  due(): Sql {
    return dueDeadTokens(this.clock.now());
  }

  async run(signal: AbortSignal): Promise<boolean> {
    const due = await this.deadTokens.findDue(this.clock.now(), ROUTES_A_RUN);
    let hasMore = due.length === ROUTES_A_RUN;
    for (const key of due) {
      if (signal.aborted) break;
      const { taken } = await this.#switchOff(key);
      hasMore ||= taken === TOKENS_A_STEP;
    }
    return hasMore;
  }

  async #switchOff(key: VendorKey): Promise<DeadTokensEnd> {
    const now = this.clock.now();
    const end = await inTransaction(this.database, async (executor) => {
      const known = await this.deadTokens.lockWatch(executor, key, now);
      if (known === null || known.isQuarantined) return { taken: 0, switchedOff: 0 };
      const isTrusted = (known.trustedUntil?.getTime() ?? 0) > now.getTime();
      if (isTrusted || !isSuspiciousDay(known.day))
        return this.deadTokens.switchOffDue(executor, key, now, TOKENS_A_STEP);
      const share = roundedShare(known.day.dead / known.day.answers);
      const suspicion = { share, normalShare: roundedShare(normalDeadShare(known.before)) };
      const count = await this.deadTokens.beginQuarantine(executor, key, suspicion, now);
      this.logger.error({ ...key, count, ...suspicion }, 'tokens.quarantined');
      return { taken: 0, switchedOff: 0 };
    });
    this.#tokens.inc({ vendor: key.vendor, action: 'switched_off' }, end.switchedOff);
    if (end.switchedOff > 0) this.logger.info({ ...key, ...end }, 'tokens.switched-off');
    return end;
  }
}
