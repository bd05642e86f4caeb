import { conventionOf } from '../vendors/token-conventions';
import type { VendorApiName } from '../vendors/vendor-api';
import type { DecidingFault, FaultMatch, FaultRule } from './fault-rule';
import { isInShare } from './token-share';

const MOST_REMEMBERED_TOKENS = 2_000_000;
const MOST_FLAKY_TOKENS = 100_000;

/** How long a `slow-` token takes. */
const SLOW_MS = 3_000;
/** The first answer to a `flaky-` token. */
const FLAKY: DecidingFault = { kind: 'status', http: 503, retryAfter: 1 };

/** The effect of the rules on one token of one request. */
export interface Verdict {
  /** What happens instead of accepting; the first matching rule decides. */
  fault?: DecidingFault;
  /** How much longer the answer takes: all slow rules together. */
  delayMs: number;
  /** True if the connection sends a GOAWAY because of this request. */
  sendsGoAway: boolean;
}

/** A rule and its effects so far. */
export interface FaultReport extends FaultRule {
  matched: number;
  struck: number;
}

/** A rule that is in force, and how often it matched and was applied. */
class ActiveRule {
  matched = 0;
  struck = 0;
  private readonly timesByToken = new Map<string, number>();

  constructor(readonly rule: FaultRule) {}

  /** True if the rule applies to this token now; it is counted then. */
  applies(api: VendorApiName, token: string): boolean {
    const { vendor, match = {} } = this.rule;
    if ((vendor !== '*' && vendor !== api) || !fits(match, token)) return false;
    this.matched += 1;
    if (!this.isItsTurn(match) || !this.isBelowTokenLimit(token, match.timesPerToken)) return false;
    this.struck += 1;
    return true;
  }

  private isItsTurn({ after = 0, times = Infinity }: FaultMatch): boolean {
    return this.matched > after && this.struck < times;
  }

  private isBelowTokenLimit(token: string, limit: number | undefined): boolean {
    if (limit === undefined) return true;
    const before = this.timesByToken.get(token) ?? 0;
    // A token that cannot be remembered gets no fault: otherwise it would fail for ever.
    if (before >= limit || (before === 0 && this.timesByToken.size >= MOST_REMEMBERED_TOKENS)) return false;
    this.timesByToken.set(token, before + 1);
    return true;
  }
}

/** The faults in force: rules that were set, and those that a token asks for itself. */
export class FaultBook {
  private rules: ActiveRule[] = [];
  private flakySeen = new Set<string>();

  /** Replaces all rules by these. Their counts begin with 0. */
  replace(rules: readonly FaultRule[]): void {
    this.rules = rules.map((rule) => new ActiveRule(rule));
    this.flakySeen = new Set();
  }

  /** The rules in force, with how often each matched (`matched`) and was applied (`struck`). */
  report(): FaultReport[] {
    return this.rules.map(({ rule, matched, struck }) => ({ ...rule, matched, struck }));
  }

  /**
   * Returns what happens to a token's request.
   *
   * @param nth the number of the request on its connection, from 1
   */
  verdictOn(api: VendorApiName, token: string, nth: number): Verdict {
    const verdict: Verdict = { delayMs: 0, sendsGoAway: false };
    for (const active of this.rules) {
      const { fault } = active.rule;
      if (fault.kind === 'goaway' && nth % fault.every !== 0) continue;
      if (isDeciding(fault) && verdict.fault !== undefined) continue;
      if (!active.applies(api, token)) continue;
      if (fault.kind === 'slow') verdict.delayMs += fault.ms;
      else if (fault.kind === 'goaway') verdict.sendsGoAway = true;
      else verdict.fault = fault;
    }
    if (verdict.fault === undefined) this.followConvention(token, verdict);
    return verdict;
  }

  private followConvention(token: string, verdict: Verdict): void {
    switch (conventionOf(token)) {
      case 'dead':
        verdict.fault = { kind: 'dead_token' };
        return;
      case 'bad':
        verdict.fault = { kind: 'invalid_token' };
        return;
      case 'slow':
        verdict.delayMs += SLOW_MS;
        return;
      case 'flaky':
        if (this.isFirstOfTwo(token)) verdict.fault = FLAKY;
        return;
      case undefined:
    }
  }

  /** True every other time: a request of a flaky token fails, the next one passes, the one after that fails again. */
  private isFirstOfTwo(token: string): boolean {
    if (this.flakySeen.delete(token)) return false;
    if (this.flakySeen.size >= MOST_FLAKY_TOKENS) this.flakySeen.clear();
    this.flakySeen.add(token);
    return true;
  }
}

function fits(match: FaultMatch, token: string): boolean {
  if (match.token !== undefined && match.token !== token) return false;
  if (match.prefix !== undefined && !token.startsWith(match.prefix)) return false;
  return match.share === undefined || isInShare(token, match.share);
}

function isDeciding(fault: FaultRule['fault']): boolean {
  return fault.kind !== 'slow' && fault.kind !== 'goaway';
}
