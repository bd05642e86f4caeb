import { DomainError, type JsonObject } from '@postrider/domain';
import type { Executor } from '@postrider/persistence';
import type { IdempotencyKey } from './idempotency-key';
import { findKeptAnswer, keepAnswer, tryLockKey } from './idempotency.query';

const KEPT_MS = 86_400_000;

/** An answer, and whether it is one that was given before. */
export interface OnceAnswer<Answer> {
  answer: Answer;
  isReplay: boolean;
}

/**
 * The answer that was given to a request with this key, or null.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the key was used for another request within 24 hours
 */
export async function findReplay<Answer extends JsonObject>(
  executor: Executor,
  { appId, now, key, requestHash }: IdempotencyKey & { appId: string; now: Date },
): Promise<OnceAnswer<Answer> | null> {
  const kept = await findKeptAnswer(executor, appId, key, new Date(now.getTime() - KEPT_MS));
  if (!kept) return null;
  if (kept.requestHash.equals(requestHash)) return { answer: kept.answer as Answer, isReplay: true };
  throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request');
}

/**
 * Carries `work` out once for a key: all in the caller's transaction, so that the work and the answer kept for it are
 * there together or not at all.
 *
 * @throws DomainError CONFLICT while another request with the key runs; IDEMPOTENCY_KEY_REUSED when the key was used for
 *   another request within 24 hours
 */
export async function runOnce<Answer extends JsonObject>(
  executor: Executor,
  { appId, now, ...request }: IdempotencyKey & { appId: string; now: Date },
  work: () => Promise<Answer>,
): Promise<OnceAnswer<Answer>> {
  if (!(await tryLockKey(executor, appId, request.key))) {
    throw new DomainError('CONFLICT', 'A request with this Idempotency-Key is still running');
  }
  const kept = await findReplay<Answer>(executor, { appId, now, ...request });
  if (kept) return kept;
  const answer = await work();
  await keepAnswer(executor, appId, request.key, { requestHash: request.requestHash, answer, at: now });
  return { answer, isReplay: false };
}
