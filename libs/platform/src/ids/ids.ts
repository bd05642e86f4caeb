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
let last = { msecs: 0, seq: 0 };

/** Ids of one millisecond keep the order in which they were made: messages of one request have one moment. */
function nextSeq(msecs: number): number {
  const seq = msecs === last.msecs ? last.seq + 1 : Math.floor(Math.random() * FIRST_SEQ);
  last = { msecs, seq };
  return seq;
}

/** The smallest id that could have been made at `at`: the bound of a partition. */
export function firstIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/**
 * The id of one message's delivery to one installation: the same on every attempt, so that a vendor that dedupes by id
 * (APNs) or a device shows it once.
 */
export function deliveryId(messageId: string, installationId: string): string {
  return v5(`${messageId}/${installationId}`, DELIVERIES);
}
