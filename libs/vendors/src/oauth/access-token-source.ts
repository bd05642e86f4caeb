import { backoffMs, type Clock, MINUTE_MS, type JsonObject, parseJsonObject, SECOND_MS } from '@postrider/domain';
import type { HttpResult } from '../http1/http-client';
import { outcomeOfFailure, type RequestFailure } from '../outcome/outcome-of-failure';
import { retryAfterMs } from '../outcome/retry-after';

/** The result of asking for an access token. */
export type TokenResult =
  | { kind: 'token'; value: string; lifeMs: number }
  | { kind: 'config'; code: string; reason: string }
  | { kind: 'retryable'; code: string; reason: string; retryAfterMs: number | null };

/**
 * A token this close to its end is replaced while it still works; one of a short life in its second half, or it would be
 * replaced all the time.
 */
const REFRESH_AHEAD_MS = 5 * MINUTE_MS;
const BACKOFF = { firstMs: SECOND_MS, maxMs: MINUTE_MS };

/**
 * Holds one access token: fetched when first needed, and fetched again five minutes before it ends (one that lives less
 * than ten minutes: after half of its life), by one request at a time however many wait. After a failure the authority is
 * left alone for a while that doubles, and the same failure is given.
 */
export class AccessTokenSource {
  /** Times are on the scale of `clock.steadyMs()`: a time of day that is set back would keep a token beyond its end. */
  #token: { value: string; expiresAt: number; renewAt: number } | null = null;
  #failure: { result: TokenResult; until: number } | null = null;
  #failures = 0;
  #fetching: Promise<TokenResult> | null = null;

  constructor(
    private readonly fetchToken: () => Promise<TokenResult>,
    private readonly clock: Clock,
  ) {}

  /** Returns a token that works, or null. Begins its renewal when it is due. */
  current(): string | null {
    if (!this.#token) return null;
    const { value, expiresAt, renewAt } = this.#token;
    const now = this.clock.steadyMs();
    if (now >= renewAt) void this.fresh();
    return now < expiresAt ? value : null;
  }

  /** Waits for a token that is fetched now, or for the fetch that is under way. */
  fresh(): Promise<TokenResult> {
    if (this.#fetching) return this.#fetching;
    if (this.#failure && this.clock.steadyMs() < this.#failure.until) return Promise.resolve(this.#failure.result);
    this.#fetching = this.#fetch().finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  /** The vendor refused `value`: it is not used again. A newer one stays. */
  reject(value: string): void {
    if (this.#token?.value === value) this.#token = null;
  }

  async #fetch(): Promise<TokenResult> {
    const result = await this.fetchToken();
    if (result.kind === 'token') {
      const { value, lifeMs } = result;
      const expiresAt = this.clock.steadyMs() + lifeMs;
      this.#token = { value, expiresAt, renewAt: expiresAt - Math.min(REFRESH_AHEAD_MS, lifeMs / 2) };
      this.#failure = null;
      this.#failures = 0;
    } else {
      const waitMs = backoffMs(BACKOFF, ++this.#failures);
      const asked = result.kind === 'retryable' ? result.retryAfterMs : null;
      this.#failure = { result, until: this.clock.steadyMs() + Math.max(waitMs, asked ?? 0) };
    }
    return result;
  }
}

const DEFAULT_LIFE_SECONDS = 3_600;
/** No vendor's token lives longer. */
const LONGEST_LIFE_SECONDS = 86_400;
/** RFC 6749 appendix A.12, without the blank, which no bearer token has: what a header can carry. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Reads the answer of an OAuth 2.0 token endpoint (RFC 6749 §5). A 4xx other than 408 and 429 says that the credentials
 * are wrong; anything else may pass. `now` is only for a `Retry-After` that is a date.
 */
export function readTokenAnswer(answer: HttpResult, now: Date): TokenResult {
  if (answer.kind !== 'answer') return unanswered(answer);
  const body = membersOf(answer.body);
  const { access_token: value, expires_in: seconds } = body;
  if (answer.status === 200 && typeof value === 'string' && SENDABLE.test(value)) {
    const lifeSeconds = Number(seconds) > 0 ? Math.min(Number(seconds), LONGEST_LIFE_SECONDS) : DEFAULT_LIFE_SECONDS;
    return { kind: 'token', value, lifeMs: lifeSeconds * SECOND_MS };
  }
  const code = textOf(body.error) ?? textOf(body.sub_error) ?? `TOKEN_HTTP_${answer.status}`;
  const reason = `The token endpoint answered ${answer.status}: ${textOf(body.error_description) ?? code}`;
  if (isRefusal(answer.status)) return { kind: 'config', code, reason };
  return { kind: 'retryable', code, reason, retryAfterMs: retryAfterMs(answer.headers['retry-after'], now) };
}

function unanswered(failure: RequestFailure): TokenResult {
  const outcome = outcomeOfFailure(failure);
  if (outcome.kind === 'config') return outcome;
  const { code, reason } = failure;
  return { kind: 'retryable', code, reason: `The token endpoint did not answer: ${reason}`, retryAfterMs: null };
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function membersOf(body: string): JsonObject {
  return parseJsonObject(body) ?? {};
}
