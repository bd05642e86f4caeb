import { Inject, Injectable } from '@nestjs/common';
import { type Clock, isSuspiciousDay, normalDeadShare } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type DeadTokensEnd,
  DeadTokensRepository,
  inTransaction,
  type VendorKey,
} from '@postrider/persistence';
import { CLOCK, type Logger, LOGGER, RecurringWork, Shutdown } from '@postrider/platform';
import { DeliveryMetrics } from '../page/delivery-metrics';
import { rounded } from './count-token-answers';

const INTERVAL_MS = 2_000;
const ROUTES_A_TURN = 200;
/** A transaction that keeps others from counting answers for a moment only. */
const TOKENS_A_STEP = 1_000;

/**
 * Switches off the tokens that were called dead long enough ago, each only if the device still has it from that registration
 * and did not register it after the vendor's word. Where a day's answers call too many dead, a quarantine begins instead.
 */
@Injectable()
export class SwitchOffDeadTokens extends RecurringWork {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly deadTokens: DeadTokensRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: DeliveryMetrics,
    shutdown: Shutdown,
  ) {
    super({ name: 'switch-off-dead-tokens', intervalMs: INTERVAL_MS, logger, shutdown });
  }

  async turn(): Promise<boolean> {
    const due = await this.deadTokens.findDue(this.clock.now(), ROUTES_A_TURN);
    let hasMore = due.length === ROUTES_A_TURN;
    for (const key of due) {
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
      const share = rounded(known.day.dead / known.day.answers);
      const suspicion = { share, normalShare: rounded(normalDeadShare(known.before)) };
      const count = await this.deadTokens.beginQuarantine(executor, key, suspicion, now);
      this.logger.error({ ...key, count, ...suspicion }, 'tokens.quarantined');
      return { taken: 0, switchedOff: 0 };
    });
    this.metrics.tokensSwitchedOff(key.vendor, end.switchedOff);
    if (end.switchedOff > 0) this.logger.info({ ...key, ...end }, 'tokens.switched-off');
    return end;
  }
}
