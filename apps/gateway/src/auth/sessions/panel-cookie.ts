import type { FastifyRequest } from 'fastify';

const NAME = 'postrider_panel';
const SHOWN = new RegExp(`(?:^|;\\s*)${NAME}=([^;\\s]*)`);

/**
 * The `Set-Cookie` of a session: out of reach for scripts and for other sites; over TLS, for plain HTTP too. Its path is the
 * whole gateway, because the API stands under several bases.
 *
 * @param value '' ends it
 */
export function panelCookie({ protocol, headers }: FastifyRequest, value: string, maxAgeSeconds: number): string {
  const isSecure = protocol === 'https' || headers['x-forwarded-proto'] === 'https';
  const parts = [`${NAME}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/** What a browser shows of a session. */
export function readPanelCookie({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return SHOWN.exec(headers.cookie ?? '')?.[1];
}
