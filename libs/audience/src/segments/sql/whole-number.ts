/** The largest whole number that is not above `value`, and whether they are the same. Exact for text of any length. */
export function floorOf(value: number | string): { floor: bigint; isWhole: boolean } {
  if (typeof value === 'number') {
    const floor = Math.floor(value);
    return { floor: BigInt(floor), isWhole: floor === value };
  }
  const [whole = '', fraction = ''] = value.split('.');
  const isWhole = !/[1-9]/.test(fraction);
  const isBelow = !isWhole && value.startsWith('-');
  return { floor: BigInt(whole) - (isBelow ? 1n : 0n), isWhole };
}
