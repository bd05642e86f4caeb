/** More decimals than this no amount has, and `toFixed` cannot write. */
const MOST_DECIMALS = 100;

/**
 * Adds two numbers as their decimals are written: 0.1 and 0.2 are 0.3. Sums of binary fractions are not, and a segment
 * would leave out a user whose three payments of 33.3 are 99.89999999999999.
 */
export function addDecimals(one: number, other: number): number {
  const sum = one + other;
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  // Adding 0 makes 0 of -0.
  return decimals === 0 || decimals > MOST_DECIMALS ? sum : Number(sum.toFixed(decimals)) + 0;
}

/** How many decimals a number is written with: 2 for 0.25, 7 for 1e-7. */
function decimalsOf(number: number): number {
  if (Number.isInteger(number)) return 0;
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [, fraction = ''] = digits.split('.');
  return Math.max(0, fraction.length - Number(exponent));
}
