import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where a browser is signed in: to the panel, or to the pages of the operator (queues, API reference). */
export type SessionCookie = 'postrider_panel' | 'postrider_operator';

/** What a browser shows of a session. */
export function readSession({ server, headers }: FastifyRequest, name: SessionCookie): string | undefined {
  return headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[name];
}

/**
 * Gives a session to a browser: out of reach for scripts and for other sites; over TLS, for plain HTTP too. Its path is the
 * whole gateway, because the API stands under several bases, and the API reference and the metrics open to the operator too.
 *
 * @param value '' ends it
 */
export function giveSession(
  { protocol, headers }: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAge }: { name: SessionCookie; value: string; maxAge: number },
): FastifyReply {
  const secure = protocol === 'https' || headers['x-forwarded-proto'] === 'https';
  return reply.setCookie(name, value, { path: '/', maxAge, httpOnly: true, sameSite: 'strict', secure });
}
