import { isoMoment } from '@postrider/domain';

const RELATIVE = /^(\d+(?:\.\d+)?)([hmd])$/;

const MICROS_OF = { m: 60e6, h: 3_600e6, d: 86_400e6 };

/** Older than this is older than everything: some three hundred thousand years, far beyond what PostgreSQL can hold. */
const LONGEST_MICROS = 1e19;

/** Whether a text is what `before` and `after` take: `<x>h`, `<x>m`, `<x>d` or ISO 8601. */
export function isMomentOrAge(text: string): boolean {
  return RELATIVE.test(text) || isoMoment(text) !== null;
}

/**
 * The moment that the value of `before` and `after` names, in microseconds since 1970.
 *
 * @param now what an age (`6h`: six hours ago) is counted back from
 * @returns null for a text that names none
 */
export function momentOrAge(text: string, now: Date): bigint | null {
  const [, amount, unit] = RELATIVE.exec(text) ?? [];
  if (amount === undefined) return isoMoment(text);
  const micros = Math.min(Number(amount) * MICROS_OF[unit as keyof typeof MICROS_OF], LONGEST_MICROS);
  return BigInt(now.getTime()) * 1000n - BigInt(Math.round(micros));
}
