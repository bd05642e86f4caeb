/** Compares by code points, which `<` on JavaScript's UTF-16 does not. */
export function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8'));
}

/** Compares two scalars of one type; null when they are of two, or no scalars. */
export function compareTyped(one: unknown, other: unknown): number | null {
  if (typeof one === 'number' && typeof other === 'number') return one === other ? 0 : one < other ? -1 : 1;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  if (typeof one === 'boolean' && typeof other === 'boolean') return one === other ? 0 : null;
  return null;
}
