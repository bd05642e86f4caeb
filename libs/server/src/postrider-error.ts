import type { Error as ErrorBody } from './generated/document';

/** A code of the service; `docs/errors.md` says when each is answered. */
export type ErrorCode = NonNullable<ErrorBody['error']['code']>;

/**
 * Says why a call failed: a code of the service, `HTTP_<status>` for an answer that is not the service's own (of a
 * proxy), or
 * - `UNREACHABLE`: no answer came. It is not known whether the request arrived, unless the connection was refused.
 * - `TIMEOUT`: no answer came within `timeoutMs`. It is not known whether the request was carried out.
 * - `BAD_ANSWER`: the answer is not JSON, or a redirect.
 */
export type FailureCode = ErrorCode | 'UNREACHABLE' | 'TIMEOUT' | 'BAD_ANSWER' | `HTTP_${number}`;

/** A refused field of a request, under the name that the caller gave it. */
export interface RefusedField {
  /** `notification.title`, `[3].user`; empty for the body itself. */
  path: string;
  message: string;
}

/** The other parts of an error beside its code and message. */
export interface ErrorFacts {
  status?: number;
  details?: readonly RefusedField[];
  requestId?: string | null;
  retryAfterMs?: number | null;
  /** True if the request certainly changed nothing: the service refused it, or was never reached. */
  isRefused?: boolean;
  /** True if the same request would fail again, although no answer came. */
  isLasting?: boolean;
  cause?: unknown;
}

/** The error of every call that failed at the service or on the way to it. */
export class PostriderError extends Error {
  override readonly name = 'PostriderError';
  /** The HTTP status of the answer; 0 if there was none. */
  readonly status: number;
  /** Every refused field. */
  readonly details: readonly RefusedField[];
  /** `X-Request-Id` of the answer, by which the service's log finds the request. */
  readonly requestId: string | null;
  /** How long the service asks to wait (`Retry-After`). */
  readonly retryAfterMs: number | null;
  /** True if the request certainly changed nothing: the service refused it, or was never reached. */
  readonly isRefused: boolean;
  /** True if the same request may succeed later. */
  readonly isTemporary: boolean;
  /**
   * How often the request was made. A deletion that was repeated may end with `NOT_FOUND`, because its first attempt was carried out
   * and its answer was lost.
   */
  attempts = 1;

  constructor(
    readonly code: FailureCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message, { cause: facts.cause });
    this.status = facts.status ?? 0;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.isRefused = facts.isRefused ?? false;
    this.isTemporary = !facts.isLasting && mayPass(code, this.status);
  }

  /** The first refused field, or null if the error is about no field. */
  get field(): string | null {
    return this.details[0]?.path ?? null;
  }
}

/** True of failures that end by themselves. */
function mayPass(code: FailureCode, status: number): boolean {
  return ['UNREACHABLE', 'TIMEOUT'].includes(code) || [408, 429].includes(status) || status >= 500;
}
