import { MINUTE_MS } from '@postrider/domain';

/** A smaller difference of clocks is none: an answer takes its time, and its header has whole seconds. */
const UNNOTICED_MS = 2 * MINUTE_MS;

/** How far the clock of this machine is ahead of the gateway's, in milliseconds. */
let aheadMs = 0;

/**
 * Takes note of the gateway's time. The clock of a person's machine may be wrong by hours, and all times that the panel shows and
 * compares are the gateway's.
 *
 * @param date the header `Date` of an answer
 * @param askedAt when it was asked for, by the clock of this machine
 */
export function noteGatewayTime(date: string | null, askedAt: number): void {
  const told = Date.parse(date ?? '');
  const now = Date.now();
  // The machine has slept meanwhile, or the answer was long under way: it says nothing about the present.
  if (Number.isNaN(told) || Math.abs(now - askedAt) >= UNNOTICED_MS) return;
  const difference = now - told;
  aheadMs = Math.abs(difference) < UNNOTICED_MS ? 0 : difference;
}

/** A moment by the clock of this machine, in milliseconds since 1970, as the gateway's clock has it. */
export function inGatewayTime(at: number): number {
  return at - aheadMs;
}

/** The present by the gateway's clock, in milliseconds since 1970. */
export function gatewayNow(): number {
  return inGatewayTime(Date.now());
}
