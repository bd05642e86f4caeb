import type { FastifyRequest } from 'fastify';
import { DomainError } from '@postrider/domain';

/** The access token in a request: none, one token (however often), or tokens that contradict each other. */
type ShownToken = { kind: 'none' } | { kind: 'one'; token: string } | { kind: 'several' };

const NONE: ShownToken = { kind: 'none' };
const SEVERAL: ShownToken = { kind: 'several' };

/**
 * Finds the token in query `access_token`, header `X-Access-Token` or `Authorization: Bearer`. Every header counts, also
 * where `request.headers` has only the first of several.
 */
export function readShownToken({ raw, query }: Pick<FastifyRequest, 'raw' | 'query'>): ShownToken {
  const { 'x-access-token': named, authorization = [] } = raw.headersDistinct;
  const shown = new Set<string>();
  for (const text of [
    ...listOf((query as Record<string, unknown> | null)?.access_token),
    ...listOf(named),
    ...listOf(authorization.map(bearerOf)),
  ]) {
    if (text !== '') shown.add(text);
  }
  if (shown.size > 1) return SEVERAL;
  const [token] = shown;
  return token === undefined ? NONE : { kind: 'one', token };
}

function listOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((item): item is string => typeof item === 'string').map((text) => text.trim());
}

function bearerOf(header: string): string | undefined {
  return /^bearer +(\S.*)$/i.exec(header)?.[1];
}

/** The same answer for a missing, an unknown, a revoked and a foreign token, so that nothing tells them apart. */
export function unauthorized(): DomainError {
  return new DomainError('UNAUTHORIZED', 'A valid access token is required');
}
