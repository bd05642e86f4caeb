import type { Clock } from '@postrider/domain';
import { type Database, switchOffTokens } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import type { DeliveryMetrics } from '../metrics/delivery-metrics';
import type { PageRun } from '../pages/page-run';

/**
 * Switches off the tokens that a vendor called dead, unless something else must be wrong (`TokenWatch`): then they stay, and the
 * operator is told.
 */
export class TokenHygiene {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /** Looks at a page that ended. Never rejects: a token that stays on for now is called dead again with its next message. */
  async pageEnded(run: PageRun): Promise<void> {
    const { deadTokens, route } = run;
    const now = this.clock.now();
    const verdicts = { accepted: run.answers.get('accepted') ?? 0, dead: deadTokens.length };
    const isBelieved = route.tokens.believes(verdicts, now.getTime());
    if (deadTokens.length === 0) return;
    const { appId, vendor } = route;
    if (!isBelieved) {
      const share = Number(route.tokens.deadShare.toFixed(3));
      this.metrics.tokensQuarantined(vendor, deadTokens.length);
      this.logger.error({ appId, vendor, count: deadTokens.length, share }, 'tokens.quarantined');
      return;
    }
    try {
      const count = await switchOffTokens(this.database, appId, deadTokens, now);
      this.metrics.tokensSwitchedOff(vendor, count);
    } catch (error) {
      this.logger.warn({ appId, vendor, count: deadTokens.length, err: error }, 'tokens.switch-off-failed');
    }
  }
}
