/** Keys whose values never reach a log. */
const SECRETS = new Set([
  'access_token',
  'token',
  'deviceToken',
  'authorization',
  'password',
  'secret',
  'privateKey',
  'private_key',
]);

/**
 * Properties of a database's error that hold users' data: a statement with its values, and what the server quotes of rows.
 * The message, the code and the stack say what went wrong.
 */
const DATA_OF_ERRORS = new Set(['parameters', 'query', 'internalQuery', 'detail', 'where', 'driverError']);

/** How deep a line's facts are searched: a line is flat, or holds something flat. */
const DEPTH = 3;
const CENSORED = '***';

/**
 * Returns the part of `facts` that may be logged: the same object if no name in it means a secret, otherwise a copy. It
 * looks at each key, since it runs for every line.
 * @param skipped a key that is left alone: its value has a serialiser that handles it
 */
export function hideSecrets(facts: object, skipped?: string, depth = DEPTH): Record<string, unknown> {
  let shown: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(facts)) {
    if (key === skipped) continue;
    const allowed = allowedOf(key, value, depth);
    if (allowed === value) continue;
    shown ??= (Array.isArray(facts) ? facts.slice() : { ...facts }) as Record<string, unknown>;
    shown[key] = allowed;
  }
  return shown ?? (facts as Record<string, unknown>);
}

/** Returns the part of an error that may be logged, for a serialised error with those that it consists of. */
export function hideData(error: object): Record<string, unknown> {
  const kept = Object.entries(error).filter(([key]) => !DATA_OF_ERRORS.has(key));
  const { aggregateErrors, ...facts } = hideSecrets(Object.fromEntries(kept));
  if (!Array.isArray(aggregateErrors)) return facts;
  return { ...facts, aggregateErrors: aggregateErrors.map((one: object) => hideData(one)) };
}

function allowedOf(key: string, value: unknown, depth: number): unknown {
  if (value === undefined) return value;
  if (SECRETS.has(key)) return CENSORED;
  if (typeof value !== 'object' || value === null || depth <= 1 || 'toJSON' in value) return value;
  return hideSecrets(value, undefined, depth - 1);
}
