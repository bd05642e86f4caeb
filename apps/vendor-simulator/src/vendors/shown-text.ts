/** A value of a payload as a person reads it: text as it is, nothing as nothing, all else as JSON. */
export function shownText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
