import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type SendOutcome } from '@postrider/domain';

/** What the vendor says of a token. `unanswered`: nothing can be said, for the reason that is given. */
export type TokenVerdict = { kind: 'valid' } | { kind: 'invalid' | 'unanswered'; code: string; reason: string };

/** Asks the vendor about one token. */
export type AskVendor = (token: string, done: (outcome: SendOutcome) => void) => void;

/** How often the vendor is asked about a token that it gives no answer about. */
const MOST_ROUNDS = 4;
const BETWEEN_ROUNDS = { firstMs: 1_000, maxMs: 8_000 };
/** A vendor that asks for more waits longer than an import can. */
const LONGEST_WAIT_MS = 30_000;
/** A burst is as long as this at most, after the process was busy. */
const MOST_BEHIND_MS = 100;
const NOT_ASKED: SendOutcome = { kind: 'retryable', code: 'NOT_ASKED', reason: 'It was not asked', retryAfterMs: null };

/** Lets so many calls a second begin, one after the other. */
export class CallPace {
  readonly #gapMs: number;
  #nextAt = 0;

  constructor(perSecond: number) {
    this.#gapMs = 1_000 / perSecond;
  }

  /** Waits for the turn of the next call. @returns false when `signal` fired */
  async next(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    const at = Math.max(this.#nextAt, now - MOST_BEHIND_MS);
    this.#nextAt = at + this.#gapMs;
    return at > now ? pause(at - now, signal) : !signal.aborted;
  }
}

/**
 * Asks the vendor about tokens, as fast as `pace` lets it. What got no answer, an error of the vendor's or a refusal for being too fast
 * is asked again, after the wait that the vendor names. Wrong credentials end the questions: no answer would say anything of a token.
 *
 * @param tokens each once
 * @param timeScale multiplies our own waits, never what the vendor asks for
 * @returns a verdict on every token; null when `signal` fired before that
 */
export async function validateTokens(
  ask: AskVendor,
  tokens: readonly string[],
  { pace, signal, timeScale }: { pace: CallPace; signal: AbortSignal; timeScale: number },
): Promise<Map<string, TokenVerdict> | null> {
  const verdicts = new Map<string, TokenVerdict>();
  let left = tokens;
  for (let round = 1; left.length > 0; round++) {
    const outcomes = await askEach(ask, left, pace, signal);
    if (signal.aborted) return null;
    const all = [...outcomes.values()];
    const trouble = all.find(endsRound) ?? NOT_ASKED;
    for (const token of left) verdicts.set(token, verdictOf(outcomes.get(token) ?? trouble));
    left = left.filter((token) => isWorthAsking(outcomes.get(token) ?? NOT_ASKED));
    if (trouble.kind === 'config' || round === MOST_ROUNDS) break;
    if (left.length > 0 && !(await pause(waitMs(all, round, timeScale), signal))) return null;
  }
  return verdicts;
}

/** Asks about tokens until one answer says that the others need not be asked now. */
async function askEach(
  ask: AskVendor,
  tokens: readonly string[],
  pace: CallPace,
  signal: AbortSignal,
): Promise<Map<string, SendOutcome>> {
  const outcomes = new Map<string, SendOutcome>();
  const asked: Promise<void>[] = [];
  let isOver = false;
  for (const token of tokens) {
    if (!(await pace.next(signal)) || isOver) break;
    asked.push(
      new Promise((resolve) => {
        ask(token, (outcome) => {
          outcomes.set(token, outcome);
          isOver ||= endsRound(outcome);
          resolve();
        });
      }),
    );
  }
  await Promise.all(asked);
  return outcomes;
}

function endsRound(outcome: SendOutcome): boolean {
  return outcome.kind === 'config' || (outcome.kind === 'throttled' && outcome.scope === 'route');
}

function isWorthAsking({ kind }: SendOutcome): boolean {
  return kind === 'throttled' || kind === 'retryable' || kind === 'ambiguous';
}

/** Only what the vendor says of the token itself is held against it. */
function verdictOf(outcome: SendOutcome): TokenVerdict {
  if (outcome.kind === 'accepted') return { kind: 'valid' };
  const { code, reason } = outcome;
  return { kind: outcome.kind === 'token_invalid' ? 'invalid' : 'unanswered', code, reason };
}

function waitMs(outcomes: readonly SendOutcome[], round: number, timeScale: number): number {
  const asked = outcomes.map((one) => ('retryAfterMs' in one ? (one.retryAfterMs ?? 0) : 0));
  return Math.min(LONGEST_WAIT_MS, Math.max(backoffMs(BETWEEN_ROUNDS, round) * timeScale, ...asked));
}

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
