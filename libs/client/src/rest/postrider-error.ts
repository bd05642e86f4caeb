/**
 * The error of every failed call. `code` is a code of the service (`UNAUTHORIZED`, `NOT_FOUND`, `INVALID_REQUEST`, …), or one of
 * these:
 *
 * - `UNREACHABLE`: no answer came. It is not known whether the request arrived.
 * - `NOT_REGISTERED`: the device has to register first.
 * - `CONNECTION_REFUSED`, `SUBSCRIPTION_REFUSED`: the service refused the connection or a subscription.
 * - `BAD_MESSAGE`: the service sent something that is not a message.
 * - `STORAGE_FAILED`: the storage failed. A message may come again after a restart.
 * - `CLIENT_FAILED`: the browser or runtime failed; see `cause`.
 * - `PUSH_SERVICE`: the browser's push service did not create a subscription.
 * - `LISTENER_FAILED`: a listener of the application threw `cause`.
 */
export class PostriderError extends Error {
  override readonly name = 'PostriderError';
  /** The HTTP status of the answer, or 0 if there was no answer. */
  readonly status: number;
  /** The fields that were refused, each with its reason. */
  readonly details: readonly { path: string; message: string }[];
  /** How long to wait before the next attempt, if the service says so (`Retry-After`). */
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

  /** True if the same request may succeed later. */
  get isTemporary(): boolean {
    return this.code === 'UNREACHABLE' || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** The other parts of an error beside its message. */
export interface PostriderErrorFacts {
  status?: number;
  details?: readonly { path: string; message: string }[];
  retryAfterMs?: number | null;
  cause?: unknown;
}
