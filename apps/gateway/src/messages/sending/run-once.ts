import { DomainError, type JsonObject } from '@postrider/domain';
import type { Executor, IdempotencyRepository } from '@postrider/persistence';
import type { IdempotencyKey } from './idempotency-key';

const KEPT_MS = 86_400_000;

/** An answer, and whether it is one that was given before. */
export interface OnceAnswer<Answer> {
  answer: Answer;
  isReplay: boolean;
}

/** Where keys are kept, and the transaction of the request. */
export interface KeptKeys {
  executor: Executor;
  idempotency: IdempotencyRepository;
}

/**
 * The answer that was given to a request with this key, or null.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the key was used for another request within 24 hours
 */
export async function findReplay<Answer extends JsonObject>(
  { executor, idempotency }: KeptKeys,
  { appId, now, key, requestHash }: IdempotencyKey & { appId: string; now: Date },
): Promise<OnceAnswer<Answer> | null> {
  const kept = await idempotency.find(executor, appId, key, new Date(now.getTime() - KEPT_MS));
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
  { executor, idempotency }: KeptKeys,
  { appId, now, ...request }: IdempotencyKey & { appId: string; now: Date },
  work: () => Promise<Answer>,
): Promise<OnceAnswer<Answer>> {
  if (!(await idempotency.tryLock(executor, appId, request.key))) {
    throw new DomainError('CONFLICT', 'A request with this Idempotency-Key is still running');
  }
  const kept = await findReplay<Answer>({ executor, idempotency }, { appId, now, ...request });
  if (kept) return kept;
  const answer = await work();
  await idempotency.keep(executor, appId, request.key, { requestHash: request.requestHash, answer, at: now });
  return { answer, isReplay: false };
}
