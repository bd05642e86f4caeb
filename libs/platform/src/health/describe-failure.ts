const MAX_LENGTH = 200;

/**
 * Returns one short line about an error, for a health report: an `AggregateError` (dual-stack connect) has an empty
 * message.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_LENGTH);
  const code = (error as NodeJS.ErrnoException).code;
  const text = error.message === '' ? (code ?? error.name) : error.message;
  return (text.split('\n')[0] ?? '').slice(0, MAX_LENGTH);
}
