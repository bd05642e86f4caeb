import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type SendOutcome } from '@postrider/domain';
import { FCM_KEY_MISSING } from '@postrider/vendors';

/** The vendor's answer about a token. `unanswered`: nothing is known, for the given reason. */
export type TokenVerdict = { kind: 'valid' } | { kind: 'invalid' | 'unanswered'; code: string; reason: string };

/** Asks the vendor about one token. */
export type AskVendor = (token: string, done: (outcome: SendOutcome) => void) => void;

/** How often the vendor is asked about a token if it gives no answer. */
const MOST_ROUNDS = 4;
const BETWEEN_ROUNDS = { firstMs: 1_000, maxMs: 8_000 };
/** An import does not wait longer than this, even if the vendor asks for it. */
const LONGEST_WAIT_MS = 30_000;
/** The longest time that a stretch takes: its calls begin within a second or so, and each is answered within ten. */
export const LONGEST_VALIDATION_MS = MOST_ROUNDS * 12_000 + (MOST_ROUNDS - 1) * LONGEST_WAIT_MS;
/** How much lost time is made up for by a burst, after the process was busy. */
const MOST_BEHIND_MS = 100;
const NOT_ASKED: SendOutcome = { kind: 'retryable', code: 'NOT_ASKED', reason: 'It was not asked', retryAfterMs: null };

/** Limits how many calls begin in a second. */
export class CallPace {
  readonly #gapMs: number;
  #nextAt = 0;

  /** @param wait how it waits: as `pause` does */
  constructor(
    perSecond: number,
    private readonly wait: typeof pause = pause,
  ) {
    this.#gapMs = 1_000 / perSecond;
  }

  /** Waits until the next call may begin. @returns false if `signal` fired */
  async next(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    const at = Math.max(this.#nextAt, now - MOST_BEHIND_MS);
    this.#nextAt = at + this.#gapMs;
    return at > now ? this.wait(at - now, signal) : !signal.aborted;
  }
}

/**
 * Asks the vendor about tokens, as fast as `pace` allows. If the vendor did not answer, failed, or refused because it
 * was asked too fast, the token is asked about again: after a pause, which is longer if the vendor asks for it. Wrong
 * credentials end the questions: no answer would say anything about a token.
 * @param tokens each once
 * @param timeScale multiplies our own waits, not those that the vendor asks for
 * @returns a verdict on every token; null if `signal` fired before that
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

/**
 * Asks about tokens until an answer ends the round: the credentials are wrong, or the vendor limits the whole route.
 */
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
  // A key that only some devices need says nothing of the tokens of the others.
  if (outcome.kind === 'config') return outcome.code !== FCM_KEY_MISSING;
  return outcome.kind === 'throttled' && outcome.scope === 'route';
}

function isWorthAsking({ kind }: SendOutcome): boolean {
  return kind === 'throttled' || kind === 'retryable' || kind === 'ambiguous';
}

/** Returns the verdict on a token: it is invalid only if the vendor says so of the token itself. */
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
