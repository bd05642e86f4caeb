import type { HttpResult } from '../http1/http-client';
import { retryAfterMs } from '../outcome/retry-after';
import { outcomeOfFailure, type RequestFailure } from '../outcome/outcome-of-failure';
import type { TokenResult } from './access-token-source';

const DEFAULT_LIFE_SECONDS = 3_600;

/**
 * Reads the answer of an OAuth 2.0 token endpoint (RFC 6749 §5). A 4xx other than 408 and 429 says that the credentials
 * are wrong; anything else may pass.
 */
export function readTokenAnswer(answer: HttpResult, now: Date): TokenResult {
  if (answer.kind !== 'answer') return unanswered(answer);
  const body = parse(answer.body);
  const { access_token: value, expires_in: seconds } = body;
  if (answer.status === 200 && typeof value === 'string' && value !== '') {
    const lifeSeconds = Number(seconds) > 0 ? Number(seconds) : DEFAULT_LIFE_SECONDS;
    return { kind: 'token', value, expiresAt: new Date(now.getTime() + lifeSeconds * 1_000) };
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

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
