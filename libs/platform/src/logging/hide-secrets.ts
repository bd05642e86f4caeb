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

/** How deep a line's facts are looked through: a line is flat, or holds something flat. */
const DEPTH = 3;
const CENSORED = '***';

/**
 * What may be logged of `facts`: the same object where nothing in it is a secret by name, else a copy. A look at each key,
 * since it is taken for every line.
 *
 * @param skipped a key that is left alone: what is logged under it has a serializer that sees to it
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

function allowedOf(key: string, value: unknown, depth: number): unknown {
  if (value === undefined) return value;
  if (SECRETS.has(key)) return CENSORED;
  if (typeof value !== 'object' || value === null || depth <= 1 || 'toJSON' in value) return value;
  return hideSecrets(value, undefined, depth - 1);
}
