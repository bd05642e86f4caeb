/**
 * True if an `Accept` header allows JSON (RFC 9110 §12.5.1: the most specific matching range decides). Parameters such
 * as `charset=utf-8` are ignored, which `@fastify/accepts` does not do:
 * docs/decisions/0022-own-code-in-the-request-pipeline.md.
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '' || accept === '*/*' || accept === 'application/json') return true;
  let best = { specificity: 0, quality: 0 };
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specificity = SPECIFICITY.get(type);
    if (specificity === undefined || specificity < best.specificity) continue;
    best = { specificity, quality: qualityOf(parameters) };
  }
  return best.quality > 0;
}

const SPECIFICITY: ReadonlyMap<string, number> = new Map([
  ['*/*', 1],
  ['application/*', 2],
  ['application/json', 3],
]);

function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
}
