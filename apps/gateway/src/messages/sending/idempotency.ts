import { createHash } from 'node:crypto';
import { canonicalJson, DAY_MS, DomainError, InvalidRequest, type JsonObject, type JsonValue } from '@postrider/domain';
import type { Executor, IdempotencyRepository } from '@postrider/persistence';
import { inSlices } from '../../http/in-slices';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The idempotency key of a request: requests with the same key are one. */
export interface IdempotencyKey {
  key: string;
  /** SHA-256 of the request: its endpoint and its body. */
  requestHash: Buffer;
}

/** A request of an application with an idempotency key. */
export type KeyedRequest = IdempotencyKey & { appId: string; now: Date };

/**
 * Reads the header `Idempotency-Key`.
 * @param kind the kind of the request: the same body with another kind is another request
 * @returns undefined if there is none
 * @throws InvalidRequest if it is not 1 to 255 printable characters
 */
export async function readIdempotencyKey(
  header: unknown,
  kind: string,
  body: unknown,
): Promise<IdempotencyKey | undefined> {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !PRINTABLE.test(header)) {
    throw new InvalidRequest([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }]);
  }
  const hash = createHash('sha256').update(kind).update('\n');
  if (Array.isArray(body)) {
    await inSlices(body, (element, index) =>
      hash.update((index === 0 ? '[' : ',') + canonicalJson(element as JsonValue)),
    );
    hash.update(']');
  } else hash.update(canonicalJson(body as JsonValue));
  return { key: header, requestHash: hash.digest() };
}

/**
 * The key of a request that was made with the key inside an app. Anybody can read that out of the app, so it never takes
 * a key from the backend. No key of a header begins with a control character, and digests of keys begin with another.
 */
export function ofDevice({ key, requestHash }: IdempotencyKey): IdempotencyKey {
  return { key: `\u0002${key}`, requestHash };
}

const KEPT_MS = DAY_MS;

/** Returns the moment since which answers are kept. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
}

/** Returns the error for a key with which another request is running. */
export function stillRunning(): DomainError {
  return new DomainError('CONFLICT', 'A request with this Idempotency-Key is still running');
}

/** An answer, and whether it was given before. */
export interface OnceAnswer<Answer> {
  answer: Answer;
  isReplay: boolean;
}

/** The repository of the keys, and the transaction of the request. */
interface KeptKeys {
  executor: Executor;
  idempotency: IdempotencyRepository;
}

/**
 * Returns the answer that a request with this key got before, or null.
 * @throws DomainError IDEMPOTENCY_KEY_REUSED if the key was used for another request within 24 hours
 */
export async function findReplay<Answer extends JsonObject>(
  { executor, idempotency }: KeptKeys,
  { appId, now, key, requestHash }: KeyedRequest,
): Promise<OnceAnswer<Answer> | null> {
  const kept = await idempotency.find(executor, appId, key, keptSince(now));
  if (!kept) return null;
  if (kept.requestHash.equals(requestHash)) return { answer: kept.answer as Answer, isReplay: true };
  throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request');
}

/**
 * Carries out `work` once for a key, in the transaction of the caller: the work and its answer are committed together
 * or not at all. A request without a key (null) is always carried out.
 * @throws DomainError CONFLICT while another request with the key runs; IDEMPOTENCY_KEY_REUSED if the key was used for
 *   another request within 24 hours
 */
export async function runOnce<Answer extends JsonObject>(
  { executor, idempotency }: KeptKeys,
  request: KeyedRequest | null,
  work: () => Promise<Answer>,
): Promise<OnceAnswer<Answer>> {
  if (request === null) return { answer: await work(), isReplay: false };
  const { appId, now, key, requestHash } = request;
  if (!(await idempotency.tryLock(executor, appId, key))) throw stillRunning();
  const kept = await findReplay<Answer>({ executor, idempotency }, request);
  if (kept) return kept;
  const answer = await work();
  await idempotency.keep(executor, appId, key, { requestHash, answer, at: now });
  return { answer, isReplay: false };
}
