import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { noteProblems, problemsNotedOf } from '@postrider/contracts';
import { CONFIG, type Config } from '@postrider/platform';
import { checkWebhookHost } from '@postrider/vendors';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';

/**
 * Refuses the address of a webhook that this deployment does not send to: one that is private, or plain http. It runs before the
 * body is read as its class, which does not know the deployment, and leaves its finding for the answer that names every bad field.
 */
@Injectable()
export class CheckWebhookHost implements NestInterceptor {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'allowPrivateEndpoints'>) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest<{ Body: { url?: unknown } | undefined }>>();
    const problem = this.config.allowPrivateEndpoints ? null : problemOf(body?.url);
    if (body && problem !== null) noteProblems(body, [...problemsNotedOf(body), { path: 'url', message: problem }]);
    return next.handle();
  }
}

/** What is no http address at all is refused by the body's class. */
function problemOf(text: unknown): string | null {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? checkWebhookHost(url) : null;
}
