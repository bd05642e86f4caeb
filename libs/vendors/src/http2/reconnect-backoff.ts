import { backoffMs, withJitter } from '@postrider/domain';
import type { Http2Result } from './http2-call';

/**
 * How long to leave a server alone that could not be reached: doubles with each failure, with jitter, up to a limit.
 */
export class ReconnectBackoff {
  #failures = 0;
  #until = 0;
  #failedAt = -Infinity;
  #lastError: Error & { code?: string } = new Error('Not connected');

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
  ) {}

  /** Failed connects in a row. */
  get failures(): number {
    return this.#failures;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#until = 0;
  }

  /**
   * A connection failed, or the server refused a request for good. What was begun before an earlier failure is a part of
   * that failure: a server drops all its connections at once.
   *
   * @param startedAt when the connection or the request was begun, on the same scale as `now`
   */
  failed(startedAt: number, now: number, error: Error): void {
    if (startedAt <= this.#failedAt) return;
    const fullMs = backoffMs({ firstMs: this.firstMs, maxMs: this.maxMs }, ++this.#failures);
    this.#until = now + withJitter(fullMs / 2, 1);
    this.#failedAt = now;
    this.#lastError = error;
  }

  /** Milliseconds until the next connect may be tried. */
  waitMs(now: number): number {
    return Math.max(0, this.#until - now);
  }

  /** The result of calls that found no connection. */
  unreachable(): Http2Result & { kind: 'unsent' } {
    const { code, message } = this.#lastError;
    return { kind: 'unsent', code: code ?? 'UNREACHABLE', reason: message, retryAfterMs: null };
  }
}
