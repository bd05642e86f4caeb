import type { components } from '@postrider/server/document';

/** The body of the answer to a refused request. */
export type Refusal = components['schemas']['Error']['error'];

/** One bad field of a request, by the name in the request. */
export type ErrorDetail = NonNullable<Refusal['details']>[number];

/** A failed answer of the gateway; status 0: no answer came. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null = null,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfterSeconds: number | null = null,
    /** The version that another person has saved in the meantime (EDIT_CONFLICT). */
    readonly current: object | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** Returns the problem of the field at `path`, if there is one; several problems as sentences. */
  at(path: string): string | undefined {
    const found = this.details.filter((detail) => detail.path === path).map(({ message }) => message);
    return found.length === 0 ? undefined : found.join('; ');
  }
}

/** Returns `error` if it is the gateway's, else an `ApiError` that says what happened here. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof Error ? error.message : String(error), 0);
}

/** True if another person has changed the same thing in the meantime. */
export function isEditConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'EDIT_CONFLICT';
}

/** Returns the problem of the field at `path` of a failed request. */
export function problemAt(error: unknown, path: string): string | undefined {
  return error instanceof ApiError ? error.at(path) : undefined;
}
