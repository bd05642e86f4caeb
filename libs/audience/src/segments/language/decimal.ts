/** Numbers as text: an optional sign, digits, and digits behind a point. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Longer digits than these say nothing more; everything shorter fits a double. */
const MAX_DECIMAL_LENGTH = 300;

/**
 * The number that a request's number or plain decimal text says.
 *
 * @returns null for anything else
 */
export function readDecimal(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > MAX_DECIMAL_LENGTH || !DECIMAL.test(value)) return null;
  return Number(value);
}
