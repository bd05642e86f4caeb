import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOperator } from './is-operator';
import { SignInLimit } from './sign-in-limit.service';
import { PanelSessions } from './sessions/panel-sessions';

/**
 * Decides who may read what tells about the inside of this installation on the gateway's own port (metrics, the API reference
 * and its document, why it is unready): everybody with `PUBLIC_DOCS`, otherwise the operator alone.
 */
@Injectable()
export class InternalPages {
  /** Whether they are open to everybody. */
  readonly arePublic: boolean;

  constructor(
    private readonly sessions: PanelSessions,
    private readonly limit: SignInLimit,
    @Inject(CONFIG) { publicDocs }: Pick<Config, 'publicDocs'>,
  ) {
    this.arePublic = publicDocs;
  }

  /** Whether a request may read them. */
  async admits(request: FastifyRequest): Promise<boolean> {
    return this.arePublic || (await isOperator(request, this.sessions));
  }

  /** Lets a request read them. @throws DomainError UNAUTHORIZED, or RATE_LIMITED after many wrong tokens */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.arePublic) return;
    void reply.header('cache-control', 'no-store');
    if (!(await isOperator(request, this.sessions))) throw await this.limit.refuseShown(request);
  }
}
