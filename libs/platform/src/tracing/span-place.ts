import { randomBytes } from 'node:crypto';

/** Which span of which trace, in hexadecimal as W3C Trace Context writes it. */
export interface SpanPlace {
  /** 32 digits. */
  traceId: string;
  /** 16 digits. */
  spanId: string;
}

/** `traceparent` of version 00, and of versions to come, which may add fields (W3C Trace Context §3.2.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;
const ALL_ZEROS = /^0+$/;

/**
 * Returns the first span of the trace of an id. A UUID has as many bits as a trace id, so a process that knows a
 * message's id knows its trace, and the trace need not be stored or passed on.
 */
export function firstSpanOf(id: string): SpanPlace {
  const traceId = id.replaceAll('-', '').toLowerCase();
  // The half that is drawn (RFC 9562 §5.7); the variant's bit keeps it from being zero.
  return { traceId, spanId: traceId.slice(16) };
}

/** The first span of a trace of its own. */
export function firstSpan(): SpanPlace {
  return { traceId: randomBytes(16).toString('hex'), spanId: newSpanId() };
}

/** A new span's id. */
export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** The caller's span that a request's `traceparent` names, or null where there is none or it cannot be read. */
export function readTraceparent(header: string | undefined): SpanPlace | null {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(header ?? '') ?? [];
  return ALL_ZEROS.test(traceId) || ALL_ZEROS.test(spanId) || traceId === '' ? null : { traceId, spanId };
}

/** The digits that are looked at: the last of a trace id are random (W3C Trace Context Level 2 §3.2.2.3, RFC 9562 §5.7). */
const SAMPLED_DIGITS = 8;

/**
 * True if a trace belongs to the share that is kept. The trace id alone decides, so that every process comes to the
 * same answer and a trace is kept whole or not at all.
 *
 * @param share from 0 (none) to 1 (all)
 */
export function isSampled(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-SAMPLED_DIGITS), 16) < share * 16 ** SAMPLED_DIGITS;
}
