import { createHash } from 'node:crypto';
import { canonicalJson, InvalidRequest, type JsonValue, type MessageKind } from '@postrider/domain';
import { inSlices } from './in-slices';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** A caller's promise that two requests with this key are one. */
export interface IdempotencyKey {
  key: string;
  /** SHA-256 of what was asked: endpoint and body. */
  requestHash: Buffer;
}

/**
 * Reads the header `Idempotency-Key`.
 *
 * @returns undefined when there is none
 * @throws InvalidRequest when it is not 1 to 255 printable characters
 */
export async function readIdempotencyKey(
  header: unknown,
  kind: MessageKind,
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
