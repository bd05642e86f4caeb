import type { components } from '@postrider/server/document';

/** What a refused request is answered with. */
export type Refusal = components['schemas']['Error']['error'];

/** One bad field of a request, under the name that the request gave it. */
export type ErrorDetail = NonNullable<Refusal['details']>[number];

/** What the gateway answered instead of what was asked for; status 0: no answer came. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null = null,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfterSeconds: number | null = null,
    /** What somebody else has saved in the meantime (EDIT_CONFLICT). */
    readonly current: object | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** What is wrong with the field at `path`, if anything; of several things all, in sentences. */
  at(path: string): string | undefined {
    const found = this.details.filter((detail) => detail.path === path).map(({ message }) => message);
    return found.length === 0 ? undefined : found.join('; ');
  }
}

/** `error` when it is the gateway's, else an `ApiError` that says what happened here. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof Error ? error.message : String(error), 0);
}

/** What the field at `path` of a failed request has against it. */
export function problemAt(error: unknown, path: string): string | undefined {
  return error instanceof ApiError ? error.at(path) : undefined;
}
