import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DomainError } from '@postrider/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unauthorized } from '../auth/unauthorized';
import { factsOf } from '../http/request-facts';

const ROUTES: ReadonlySet<string> = new Set([
  '/api/containers/updatePromoCodes/:trackId',
  '/api/containers/updateGlobalPromoCodes',
]);
const NO_CODING = /^\s*(?:identity)?\s*$/i;

/** Hands forms on to the uploads of promo codes as they arrive, unread; everywhere else they are no content that is taken. */
@Injectable()
export class StreamPromoFiles implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser('multipart/form-data', (request, payload, done) => {
      const refusal = refusalOf(request);
      if (refusal) done(refusal);
      else done(null, payload);
    });
  }
}

function refusalOf(request: FastifyRequest): DomainError | null {
  if (!ROUTES.has(request.routeOptions.url ?? '')) return unreadable('The body must be application/json');
  if (factsOf(request).identity.kind === 'stranger') return unauthorized();
  if (NO_CODING.test(request.headers['content-encoding'] ?? '')) return null;
  return unreadable('The file must not be compressed');
}

function unreadable(message: string): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
}
