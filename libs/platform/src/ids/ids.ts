import { v5, v7 } from 'uuid';

/** Namespace of the ids that are derived rather than drawn (RFC 9562 §5.5). */
const DELIVERIES = 'f5b4d6a2-7c0f-4b7e-9a3e-2f1a8c5d9e01';

/**
 * A new id whose order is the order of time (UUID version 7, RFC 9562 §5.7). Messages and pages carry one, and their
 * tables are partitioned by it.
 */
export function newId(at?: Date): string {
  return at ? v7({ msecs: at.getTime(), seq: nextSeq(at.getTime()) }) : v7();
}

/** Half of what a sequence may count to is left for ids of the same millisecond. */
const FIRST_SEQ = 2 ** 31;
/** Longer than the messages of one request take to be made, with a moment of another request in each millisecond. */
const MOST_MOMENTS = 50_000;
/** The last number of each moment that ids were made for lately, the one used last at the end. */
const seqOf = new Map<number, number>();

/**
 * Ids of one millisecond keep the order in which they were made, also when other ids are made between them: the
 * messages of one request have one moment.
 */
function nextSeq(msecs: number): number {
  const before = seqOf.get(msecs);
  const seq = before === undefined ? Math.floor(Math.random() * FIRST_SEQ) : before + 1;
  seqOf.delete(msecs);
  seqOf.set(msecs, seq);
  if (seqOf.size > MOST_MOMENTS) seqOf.delete(seqOf.keys().next().value as number);
  return seq;
}

/** The smallest id that could have been made at `at`, none before 1970: the bound of a partition. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/**
 * Returns when an id (UUID version 7) was made: its first six bytes are milliseconds. For any other id the result means
 * nothing.
 */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * The id of one message's delivery to one installation: the same on every attempt, so that a vendor that dedupes by id
 * (APNs) or a device shows it once.
 */
export function deliveryId(messageId: string, installationId: string): string {
  return v5(`${messageId}/${installationId}`, DELIVERIES);
}
