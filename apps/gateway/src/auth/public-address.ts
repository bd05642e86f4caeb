import { withoutTrailing } from '@postrider/domain';
import type { Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';

/**
 * The address at which callers reach this gateway, without a slash at its end: `PUBLIC_URL`, else the address that the
 * request was sent to.
 */
export function publicAddress({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): string {
  if (publicUrl !== undefined) return withoutTrailing(publicUrl, '/');
  return `${isOverTls(request) ? 'https' : 'http'}://${request.host}`;
}

/**
 * True if the caller sent the request over TLS, to this gateway or to the proxy in front of it (`X-Forwarded-Proto`; the
 * first proxy writes its part first). It says nothing about who calls, so it may come from anyone, as `Host` does.
 */
export function isOverTls({ protocol, headers }: Pick<FastifyRequest, 'protocol' | 'headers'>): boolean {
  const [first] = String(headers['x-forwarded-proto'] ?? protocol).split(',');
  return first?.trim().toLowerCase() === 'https';
}
