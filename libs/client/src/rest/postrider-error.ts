/**
 * What went wrong. `code` is the service's own (`UNAUTHORIZED`, `NOT_FOUND`, `INVALID_REQUEST`, …), or one of these:
 *
 * - `UNREACHABLE`: no answer came; whether the request arrived is not known.
 * - `NOT_REGISTERED`: the device has to register first.
 * - `CONNECTION_REFUSED`, `SUBSCRIPTION_REFUSED`: the connection's end said no.
 * - `BAD_MESSAGE`: a message came that is none.
 * - `STORAGE_FAILED`: the storage refuses; a message may come again after a restart.
 * - `CLIENT_FAILED`: something of this browser or runtime refuses; `cause` says what.
 * - `PUSH_SERVICE`: the browser's push service gave no subscription.
 * - `LISTENER_FAILED`: a listener of the application threw; `cause` is what it threw.
 */
export class PostriderError extends Error {
  override readonly name = 'PostriderError';
  /** The status of the answer; 0: there was none. */
  readonly status: number;
  /** The fields that were refused, each with its reason. */
  readonly details: readonly { path: string; message: string }[];
  /** How long the service wants to be left alone. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly code: string,
    message: string,
    { status = 0, details = [], retryAfterMs = null, cause }: PostriderErrorFacts = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may well succeed later. */
  get isTemporary(): boolean {
    return this.code === 'UNREACHABLE' || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** What an answer said beside its message. */
export interface PostriderErrorFacts {
  status?: number;
  details?: readonly { path: string; message: string }[];
  retryAfterMs?: number | null;
  cause?: unknown;
}
