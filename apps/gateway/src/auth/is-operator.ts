import type { FastifyRequest } from 'fastify';
import { factsOf } from './request-facts';
import type { PanelSessions } from './sessions/panel-sessions';
import { isSameOrigin } from './sessions/same-origin';
import { readSession } from './sessions/session-cookies';

/**
 * Whether the operator asks for a page of the gateway: the admin token stands in the request itself, or the browser signed in with
 * it, in the panel or on the queues board. A token in the request proves its sender; a cookie does only when no other site
 * can have made the browser send it.
 */
export async function isOperator(request: FastifyRequest, sessions: PanelSessions): Promise<boolean> {
  if (factsOf(request).identity.kind === 'operator') return true;
  if (!isSameOrigin(request)) return false;
  const shown = [readSession(request, 'postrider_operator'), readSession(request, 'postrider_panel')];
  for (const cookie of shown) if ((await sessions.read(cookie))?.kind === 'operator') return true;
  return false;
}

/** Whether a browser asks for a page to show, and not a program for data. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept?.includes('text/html') ?? false);
}
