/** Year 0 of the calendar that JavaScript counts in, which PostgreSQL calls 1 BC. */
const YEAR_ZERO_MICROS = BigInt(Date.parse('0000-01-01T00:00:00Z')) * 1000n;
const MICROS_PER_MILLI = 1000n;

/** A moment as a parameter of type timestamptz, to the microsecond. */
export function timestampText(micros: bigint): string {
  if (micros < YEAR_ZERO_MICROS) return '-infinity';
  const rest = ((micros % MICROS_PER_MILLI) + MICROS_PER_MILLI) % MICROS_PER_MILLI;
  const millis = new Date(Number((micros - rest) / MICROS_PER_MILLI)).toISOString();
  const text = millis.replace('Z', `${String(rest).padStart(3, '0')}Z`);
  if (text.startsWith('0000')) return `0001${text.slice(4)} BC`;
  return text.replace(/^\+0/, '');
}

/** A day and more: no two texts of one moment are further apart, whatever their offsets (`isoMoment`). */
const WIDEST_OFFSET_MICROS = 86_400_000_000n;

/** No ISO 8601 text that names `micros` or later orders before this text by code point. */
export function lowestTextOf(micros: bigint): string {
  const text = timestampText(micros - WIDEST_OFFSET_MICROS);
  if (text === '-infinity' || text.endsWith('BC')) return '';
  return text.length === '2024-01-01T00:00:00.000000Z'.length ? text.slice(0, 'YYYY-MM-DD'.length) : '~';
}

/** No ISO 8601 text that names `micros` or earlier orders behind this text by code point. */
export function highestTextOf(micros: bigint): string {
  const text = timestampText(micros + WIDEST_OFFSET_MICROS);
  if (text === '-infinity' || text.endsWith('BC')) return '';
  return text.length === '2024-01-01T00:00:00.000000Z'.length ? `${text.slice(0, 'YYYY-MM-DD'.length)}~` : '~';
}
