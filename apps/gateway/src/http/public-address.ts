import type { Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';

/**
 * The address at which callers reach this gateway, without a slash at its end: `PUBLIC_URL`, else the address that the
 * request was sent to.
 */
export function publicAddress({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): string {
  return publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
}
