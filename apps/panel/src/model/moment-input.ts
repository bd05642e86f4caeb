/** A moment as `<input type="datetime-local">` shows it, in the reader's time zone; '' for what is none. */
export function toLocalInput(iso: string): string {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '';
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The moment that such an input says, as ISO 8601 in UTC; '' while it says none. */
export function fromLocalInput(local: string): string {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? '' : `${at.toISOString().slice(0, 19)}Z`;
}

/** An age as rules write it (`72h`), by its parts; null: it is a moment or nothing. */
export function readAge(text: string): { amount: string; unit: string } | null {
  const [, amount, unit] = /^(\d*(?:\.\d*)?)([hmd])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? null : { amount, unit };
}
