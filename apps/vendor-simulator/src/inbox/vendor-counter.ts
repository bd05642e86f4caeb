/** The counts of one vendor. */
export interface VendorStats {
  /** Messages (or access tokens) accepted. */
  accepted: number;
  /** Requests refused, by the vendor's code. */
  refused: Record<string, number>;
  /** Requests that got no proper answer, by the fault that was applied. */
  faults: Record<string, number>;
  /** Requests that asked only whether they would be accepted. */
  rehearsed: number;
  /** Tokens that something was accepted for. */
  distinctTokens: number;
  /** How many of these came more than once. */
  tokensSeenMoreThanOnce: number;
  /** And how often the most frequent one. */
  maxTimesOneToken: number;
  /** Acceptances whose token was not counted, since the limit was reached: the three above are exact only at 0. */
  uncounted: number;
}

/** Exact counts of what one vendor was sent; token by token up to a limit. */
export class VendorCounter {
  private accepted = 0;
  private rehearsed = 0;
  private uncounted = 0;
  private repeated = 0;
  private most = 0;
  private readonly refused = new Map<string, number>();
  private readonly faults = new Map<string, number>();
  private readonly timesByToken = new Map<string, number>();

  constructor(private tokenLimit: number) {}

  countAccepted(token: string): void {
    this.accepted += 1;
    const before = this.timesByToken.get(token) ?? 0;
    if (before === 0 && this.timesByToken.size >= this.tokenLimit) {
      this.uncounted += 1;
      return;
    }
    this.timesByToken.set(token, before + 1);
    if (before === 1) this.repeated += 1;
    if (before >= this.most) this.most = before + 1;
  }

  countRehearsed(): void {
    this.rehearsed += 1;
  }

  countRefused(code: string): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  countFault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  /** Changes how many tokens are counted one by one; those counted already stay. */
  limitTokens(limit: number): void {
    this.tokenLimit = limit;
  }

  /** Every counted token with how often it was seen, in the order of their first time. */
  tokens(): IterableIterator<[string, number]> {
    return this.timesByToken.entries();
  }

  stats(): VendorStats {
    return {
      accepted: this.accepted,
      refused: Object.fromEntries(this.refused),
      faults: Object.fromEntries(this.faults),
      rehearsed: this.rehearsed,
      distinctTokens: this.timesByToken.size,
      tokensSeenMoreThanOnce: this.repeated,
      maxTimesOneToken: this.most,
      uncounted: this.uncounted,
    };
  }
}
