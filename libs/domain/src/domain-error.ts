/** One bad field of a request, named as the caller wrote it (`notification.actions[2].options`). */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * How many bad fields an error names: enough to help a caller. Without a limit, a request of 10,000 bad elements would get
 * an answer of many megabytes.
 */
export const MOST_DETAILS = 1_000;

/** Every error that a caller can get, and its HTTP status. `docs/errors.md` lists them; a test compares the two. */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  AUDIENCE_CHANGED: 409,
  EDIT_CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  AUDIENCE_TOO_COSTLY: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

/** The code of an error. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** The parts of an error beside its code and its text. */
interface ErrorOptions {
  details?: ErrorDetail[];
  /** The present number of devices (AUDIENCE_CHANGED). */
  count?: number;
  /** What somebody else has saved meanwhile. Null if it is gone (EDIT_CONFLICT). */
  current?: object | null;
  retryAfterSeconds?: number;
  name?: string;
}

/** An error that a caller can act on. Services throw it, and the gateway's filter makes an answer of it. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly options: ErrorOptions = {},
  ) {
    super(message);
    this.name = options.name ?? 'DomainError';
  }

  /** The HTTP status that goes with the code. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** A request with bad fields: all of them at once, up to `MOST_DETAILS`. */
export class InvalidRequest extends DomainError {
  constructor(details: readonly ErrorDetail[], message = 'The request is not valid') {
    super('INVALID_REQUEST', message, { details: details.slice(0, MOST_DETAILS) });
  }
}
