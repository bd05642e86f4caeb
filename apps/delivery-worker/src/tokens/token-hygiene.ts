import type { Clock } from '@postrider/domain';
import { type Database, type DeadToken, quarantineTokens, removeDeadTokens } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import type { DeliveryMetrics } from '../metrics/delivery-metrics';
import type { PageRun } from '../pages/page-run';
import type { Route } from '../routes/route';
import { isMismatch } from '../routes/suspect-verdicts';

/**
 * Switches off the tokens that a vendor called dead, unless something else must be wrong (`TokenWatch`, or credentials that
 * have worked for nobody): then they stay on, in a quarantine that holds for all workers until the operator decides.
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
    const isTrusted = (route.trouble?.trustedUntil?.getTime() ?? 0) > now.getTime();
    const isDoubted = (token: DeadToken): boolean => !isTrusted && (!isBelieved || isDoubtful(token, route));
    const believed = deadTokens.filter((token) => !isDoubted(token));
    const doubted = deadTokens.filter(isDoubted);
    try {
      if (believed.length > 0) await this.#remove(route, believed, now);
      if (doubted.length > 0) await this.#quarantine(route, doubted, now);
    } catch (error) {
      const { appId, vendor } = route;
      this.logger.warn({ appId, vendor, count: deadTokens.length, err: error }, 'tokens.switch-off-failed');
    }
  }

  async #remove(route: Route, tokens: readonly DeadToken[], now: Date): Promise<void> {
    const { switchedOff, quarantined } = await removeDeadTokens(this.database, route, tokens, now);
    this.metrics.tokensSwitchedOff(route.vendor, switchedOff);
    if (quarantined > 0) this.metrics.tokensQuarantined(route.vendor, quarantined);
  }

  async #quarantine(route: Route, tokens: readonly DeadToken[], now: Date): Promise<void> {
    const { appId, vendor } = route;
    const share = Number(route.tokens.deadShare.toFixed(3));
    this.metrics.tokensQuarantined(vendor, tokens.length);
    const hasBegun = await quarantineTokens(this.database, route, tokens, share, now);
    const level = hasBegun ? 'error' : 'warn';
    this.logger[level]({ appId, vendor, count: tokens.length, share }, 'tokens.quarantined');
  }
}

/** Whether the credentials are as likely to be wrong as the token. */
function isDoubtful({ code }: DeadToken, { breaker }: Route): boolean {
  return code !== undefined && isMismatch(code) && !breaker.hasWorked;
}
