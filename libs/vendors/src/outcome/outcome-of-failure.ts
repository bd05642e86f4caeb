import type { SendOutcome } from '@postrider/domain';

/** A request that got no answer at all. */
export interface RequestFailure {
  kind: 'unsent' | 'unanswered';
  code: string;
  reason: string;
  retryAfterMs?: number | null;
}

/** Failures that no later try can change: the endpoint itself is not allowed. */
const CONFIG_CODES = new Set(['PRIVATE_ADDRESS', 'PLAIN_ENDPOINT']);

/** Returns the meaning of a request without an answer for the delivery. */
export function outcomeOfFailure(failure: RequestFailure): SendOutcome {
  const { kind, code, reason } = failure;
  if (CONFIG_CODES.has(code)) return { kind: 'config', code, reason };
  if (code === 'NOT_SENDABLE') return { kind: 'request_invalid', code, reason };
  if (kind === 'unanswered') return { kind: 'ambiguous', code, reason };
  return { kind: 'retryable', code, reason, retryAfterMs: failure.retryAfterMs ?? null };
}

/** The outcome of handing a sender another vendor's payload. */
export function wrongPayload(payload: string, sender: string): SendOutcome {
  return { kind: 'request_invalid', code: 'WRONG_PAYLOAD', reason: `A payload for ${payload} was given to ${sender}` };
}
