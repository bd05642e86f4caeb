const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * Adds two numbers as they are written: 0.1 and 0.2 make 0.3, so that sums of prices are what people expect of them
 * and a segment finds them. Adding the doubles themselves would make 0.30000000000000004.
 *
 * @returns infinity for a sum that is too large for a number
 */
export function addDecimals(a: number, b: number): number {
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) return a + b;
  const one = readDecimal(a);
  const other = readDecimal(b);
  if (one === null || other === null) return a + b;
  const exponent = Math.min(one.exponent, other.exponent);
  return Number(`${digitsAt(one, exponent) + digitsAt(other, exponent)}e${exponent}`);
}

/** A number as `digits` × 10^`exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/** Null for infinity and NaN. */
function readDecimal(value: number): Decimal | null {
  const [, sign = '', whole, fraction = '', power = '0'] = WRITTEN.exec(String(value)) ?? [];
  return whole === undefined
    ? null
    : { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(power) - fraction.length };
}

function digitsAt({ digits, exponent }: Decimal, smaller: number): bigint {
  return digits * 10n ** BigInt(exponent - smaller);
}
