import { HttpException } from '@nestjs/common';
import { DomainError, ERROR_STATUS, type ErrorCode, type ErrorDetail } from '@postrider/domain';
import { isDatabaseUnavailable, isOutcomeUnknown, isPartitionMissing } from '@postrider/persistence';
import type { FastifyReply } from 'fastify';

/** The error in an answer. */
interface ErrorBody {
  name: string;
  status: number;
  message: string;
  code?: ErrorCode;
  details?: ErrorDetail[];
  count?: number;
  current?: object | null;
  outcome?: 'unknown';
}

/** The answer to an error. */
export interface ErrorAnswer {
  status: number;
  code: ErrorCode;
  retryAfterSeconds?: number;
  body: { error: ErrorBody };
}

/** How long a caller should wait until PostgreSQL is back. */
const DATABASE_RETRY_SECONDS = 5;

/** The message for the caller if the error's own text was not written for them. */
const MESSAGES: Record<ErrorCode, string> = {
  INVALID_REQUEST: 'The request is not valid',
  UNAUTHORIZED: 'A valid access token is required',
  FORBIDDEN: 'This token does not allow this call',
  NOT_FOUND: 'The resource does not exist',
  METHOD_NOT_ALLOWED: 'This path does not support this method',
  REQUEST_TIMEOUT: 'The body did not arrive in time',
  NOT_ACCEPTABLE: 'The Accept header excludes application/json, the type of the answer',
  CONFLICT: 'The request conflicts with the current state',
  AUDIENCE_CHANGED: 'The audience has another size than expected; nothing was sent',
  EDIT_CONFLICT: 'Somebody else has changed it since; nothing was saved',
  PAYLOAD_TOO_LARGE: 'The body is larger than allowed',
  UNSUPPORTED_MEDIA_TYPE:
    'The header Content-Type must be application/json in UTF-8, or the type of the file that is uploaded',
  AUDIENCE_TOO_COSTLY: 'The audience takes too long to count',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used with another body',
  RATE_LIMITED: 'Too many requests',
  HEADERS_TOO_LARGE: 'The headers are too large',
  INTERNAL: 'An unexpected error occurred',
  UNAVAILABLE: 'The service cannot take the request now; nothing was done',
};

/** The message if the connection to PostgreSQL ended while the request used it, perhaps during its commit. */
const OUTCOME_UNKNOWN =
  'The service lost its database during the request; it is unknown whether the request was carried out';

const CODE_OF_STATUS = new Map<number, ErrorCode>(
  (Object.entries(ERROR_STATUS) as [ErrorCode, number][]).map(([code, status]) => [status, code]),
);

/**
 * Returns the answer to an error of any kind. Our own errors have texts for callers. Of an error of a framework or the
 * database only the status is shown, so that no stack, SQL or path gets out.
 */
export function answerTo(error: unknown): ErrorAnswer {
  if (error instanceof DomainError) return answerToDomainError(error);
  if (isDatabaseUnavailable(error)) return isOutcomeUnknown(error) ? answerToLostDatabase() : answerTo503();
  if (isPartitionMissing(error)) return answerTo503();
  const status = statusOf(error);
  const code = CODE_OF_STATUS.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_REQUEST');
  return { status: ERROR_STATUS[code], code, body: bodyOf(undefined, code, MESSAGES[code]) };
}

/** Sends the answer to an error, for routes and plugins outside of Nest, whose errors `ErrorFilter` does not see. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body, retryAfterSeconds } = answerTo(error);
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

function answerToDomainError(error: DomainError): ErrorAnswer {
  const { name, details, count, current, retryAfterSeconds } = error.options;
  return {
    status: error.status,
    code: error.code,
    body: bodyOf(name, error.code, error.message, { details, count, current }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function answerTo503(message = MESSAGES.UNAVAILABLE): ErrorAnswer {
  const body = bodyOf(undefined, 'UNAVAILABLE', message);
  return { status: 503, code: 'UNAVAILABLE', retryAfterSeconds: DATABASE_RETRY_SECONDS, body };
}

/** A caller who repeats a creation after it may create a second one, so a program must be able to tell it from other 503s. */
function answerToLostDatabase(): ErrorAnswer {
  const answer = answerTo503(OUTCOME_UNKNOWN);
  return { ...answer, body: { error: { ...answer.body.error, outcome: 'unknown' } } };
}

function bodyOf(
  name: string | undefined,
  code: ErrorCode,
  message: string,
  { details, count, current }: Pick<ErrorBody, 'details' | 'count' | 'current'> = {},
): ErrorAnswer['body'] {
  const status = ERROR_STATUS[code];
  // An error with a name of its own has exactly these three fields: callers of the REST interface rely on them.
  if (name !== undefined) return { error: { name, status, message } };
  return {
    error: {
      name: nameOf(code),
      status,
      message,
      code,
      ...(details ? { details } : {}),
      ...(count === undefined ? {} : { count }),
      ...(current === undefined ? {} : { current }),
    },
  };
}

/** Returns `InvalidRequest` for `INVALID_REQUEST`. */
function nameOf(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the status of an exception of Nest or an error of Fastify; 500 for any other error, whatever it claims. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status =
    error instanceof Error && error.name === 'FastifyError' ? (error as { statusCode?: number }).statusCode : 500;
  return status ?? 500;
}
