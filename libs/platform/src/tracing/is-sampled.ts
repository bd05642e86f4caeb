/** The digits that are looked at: the last of a trace id are random (W3C Trace Context Level 2 §3.2.2.3, RFC 9562 §5.7). */
const DIGITS = 8;

/**
 * True if a trace belongs to the share that is kept. The trace id alone decides, so that every process comes to the
 * same answer and a trace is kept whole or not at all.
 *
 * @param share from 0 (none) to 1 (all)
 */
export function isSampled(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-DIGITS), 16) < share * 16 ** DIGITS;
}
