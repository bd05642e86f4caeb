import type { VendorApiName } from '../vendors/vendor-api';
import type { DecidingFault, FaultMatch, FaultRule } from './fault-rule';
import { isInShare } from './token-share';
import { conventionOf, FLAKY, SLOW_MS } from './token-conventions';

const MOST_REMEMBERED_TOKENS = 2_000_000;
const MOST_FLAKY_TOKENS = 100_000;

/** The effect of the rules on one token of one request. */
export interface Verdict {
  /** What happens instead of accepting; the first matching rule decides. */
  fault?: DecidingFault;
  /** How much longer the answer takes: all slow rules together. */
  delayMs: number;
  /** True if this request makes the connection send a GOAWAY. */
  saysGoodbye: boolean;
}

/** A rule and its effects so far. */
export interface FaultReport extends FaultRule {
  matched: number;
  struck: number;
}

class StandingRule {
  matched = 0;
  struck = 0;
  private readonly strikesByToken = new Map<string, number>();

  constructor(readonly rule: FaultRule) {}

  /** True if the rule strikes this token now; counts it when it does. */
  strikes(api: VendorApiName, token: string): boolean {
    const { vendor, match = {} } = this.rule;
    if ((vendor !== '*' && vendor !== api) || !fits(match, token)) return false;
    this.matched += 1;
    if (!this.isItsTurn(match) || !this.mayStrikeToken(token, match.timesPerToken)) return false;
    this.struck += 1;
    return true;
  }

  private isItsTurn({ after = 0, times = Infinity }: FaultMatch): boolean {
    return this.matched > after && this.struck < times;
  }

  private mayStrikeToken(token: string, limit: number | undefined): boolean {
    if (limit === undefined) return true;
    const before = this.strikesByToken.get(token) ?? 0;
    // beyond what can be remembered, a token passes: better a fault too few than a token that fails for ever
    if (before >= limit || (before === 0 && this.strikesByToken.size >= MOST_REMEMBERED_TOKENS)) return false;
    this.strikesByToken.set(token, before + 1);
    return true;
  }
}

/** The faults in force: rules that were set, and those that a token asks for itself. */
export class FaultBook {
  private rules: StandingRule[] = [];
  private flakySeen = new Set<string>();

  /** Puts these rules in place of all others, counting from nought. */
  replace(rules: readonly FaultRule[]): void {
    this.rules = rules.map((rule) => new StandingRule(rule));
    this.flakySeen = new Set();
  }

  /** The rules in force, with how often each matched and struck. */
  report(): FaultReport[] {
    return this.rules.map(({ rule, matched, struck }) => ({ ...rule, matched, struck }));
  }

  /**
   * Says what becomes of a token's request.
   *
   * @param nth which request of its connection this is
   */
  verdictOn(api: VendorApiName, token: string, nth: number): Verdict {
    const verdict: Verdict = { delayMs: 0, saysGoodbye: false };
    for (const standing of this.rules) {
      const { fault } = standing.rule;
      if (fault.kind === 'goaway' && nth % fault.every !== 0) continue;
      if (isDeciding(fault) && verdict.fault !== undefined) continue;
      if (!standing.strikes(api, token)) continue;
      if (fault.kind === 'slow') verdict.delayMs += fault.ms;
      else if (fault.kind === 'goaway') verdict.saysGoodbye = true;
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

  /** Every other time true: a flaky token fails, passes, fails with the next message again. */
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
