import type { components } from '@postrider/server/document';

/** The body of the answer to a refused request. */
export type Refusal = components['schemas']['Error']['error'];

/** One bad field of a request, by the name in the request. */
export type ErrorDetail = NonNullable<Refusal['details']>[number];

/** The code of an answer that is none of the gateway's: a proxy, or the network, has answered in its place. */
const FOREIGN_ANSWER = 'FOREIGN_ANSWER';

/** A failed answer of the gateway; status 0: the gateway gave no answer. */
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

/** Statuses of a proxy that say as much as the gateway's own: too much was sent, too often. */
const SAID_BY_PROXIES = new Set([413, 429]);

/**
 * Returns the error for an answer that is none of the gateway's. Unless it speaks of a failure, its status says nothing about what was
 * asked: the 404 of a proxy does not mean that a draft was deleted, and its 401 does not end the session.
 */
export function foreignAnswer(status: number, retryAfterSeconds: number | null = null): ApiError {
  if (status >= 500 || SAID_BY_PROXIES.has(status)) {
    const said = `The gateway, or a server before it, answered with status ${status}`;
    return new ApiError(said, status, FOREIGN_ANSWER, [], retryAfterSeconds);
  }
  const said = `A server between your browser and the gateway answered in its place, with status ${status}`;
  return new ApiError(said, 0, FOREIGN_ANSWER);
}

/** True if something else than the gateway has answered. */
export function isForeign(error: ApiError): boolean {
  return error.code === FOREIGN_ANSWER;
}

/** True if it is not known whether what was asked for was done. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** True for a failure that has nothing to do with what was asked: the same request may succeed later. */
export function mayPass(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** True if another person has changed the same thing in the meantime. */
export function isEditConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'EDIT_CONFLICT';
}

/** True if what was asked for does not exist, or no longer. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND';
}

/** Returns the problem of the field at `path` of a failed request. */
export function problemAt(error: unknown, path: string): string | undefined {
  return error instanceof ApiError ? error.at(path) : undefined;
}
