const MAX_LENGTH = 200;

/**
 * Returns one short line about an error, for a health report or for the log of an outage. A connection to a name with several
 * addresses fails with an `AggregateError`, whose own message is empty: the line has the failure of each address.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_LENGTH);
  const { message, code, name, errors = [] } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  if (message === '' && errors.length > 0) return errors.map(describeFailure).join(', ').slice(0, MAX_LENGTH);
  const text = message === '' ? (code ?? name) : message;
  return (text.split('\n')[0] ?? '').slice(0, MAX_LENGTH);
}
