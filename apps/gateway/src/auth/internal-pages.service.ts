import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignInLimit } from './sign-in-limit.service';
import { PanelSessions } from './sessions/panel-sessions.service';
import { factsOf } from './caller';
import { readShownToken } from './request-token';
import { isSameOrigin, readSession } from './sessions/session-cookies';

/**
 * Decides who may read internal information on the gateway's own port (metrics, the API reference and its document, the
 * reasons of unreadiness): everybody with `PUBLIC_DOCS`, otherwise the operator only.
 */
@Injectable()
export class InternalPages {
  /** True if they are open to everybody. */
  readonly arePublic: boolean;

  constructor(
    private readonly sessions: PanelSessions,
    private readonly limit: SignInLimit,
    @Inject(CONFIG) { publicDocs }: Pick<Config, 'publicDocs'>,
  ) {
    this.arePublic = publicDocs;
  }

  /** True if a request may read them. */
  async admits(request: FastifyRequest): Promise<boolean> {
    return this.arePublic || (await isOperator(request, this.sessions));
  }

  /**
   * The same for an answer of which everybody gets a part, without a token. A token in the request must be the
   * operator's: the answer must not tell if a guessed one is right.
   *
   * @throws DomainError UNAUTHORIZED, or RATE_LIMITED after many wrong tokens
   */
  async admitsIfShown(request: FastifyRequest): Promise<boolean> {
    if (await this.admits(request)) return true;
    if (readShownToken(request).kind !== 'none') throw await this.limit.refuseShown(request);
    return false;
  }

  /** Admits a request. @throws DomainError UNAUTHORIZED, or RATE_LIMITED after many wrong tokens */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.arePublic) return;
    void reply.header('cache-control', 'no-store');
    if (!(await isOperator(request, this.sessions))) throw await this.limit.refuseShown(request);
  }
}

/**
 * True if the operator asks for a page of the gateway: the admin token is in the request itself, or the browser signed
 * in with it, in the panel or on the queues board. A token in the request proves who sends it. A cookie does only if no
 * other site can have made the browser send it.
 */
export async function isOperator(request: FastifyRequest, sessions: PanelSessions): Promise<boolean> {
  if (factsOf(request).identity.kind === 'operator') return true;
  if (!isSameOrigin(request)) return false;
  const shown = [readSession(request, 'postrider_operator'), readSession(request, 'postrider_panel')];
  for (const cookie of shown) if ((await sessions.read(cookie))?.kind === 'operator') return true;
  return false;
}

/** True if a browser asks for a page to show, false if a program asks for data. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept?.includes('text/html') ?? false);
}
