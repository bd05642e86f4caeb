import type { HttpAdapterHost } from '@nestjs/core';
import { DomainError } from '@postrider/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Bodies that a route reads by itself. */
export interface UnreadBodies {
  /** Media types. */
  types: readonly string[];
  /** Where they are taken, as Fastify spells routes; everywhere else they are no content that is taken. */
  routes: readonly string[];
  /** Whether the body is a text, which has to be UTF-8. */
  isText: boolean;
}

const NO_CODING = /^\s*(?:identity)?\s*$/i;
const READABLE_CHARSET = /^(?:utf-?8|us-ascii)$/i;

/** Hands bodies on to their route as they arrive, unread. What cannot be read is refused before a byte is. */
export function takeUnread(adapter: HttpAdapterHost, bodies: UnreadBodies): void {
  const fastify = adapter.httpAdapter.getInstance<FastifyInstance>();
  fastify.addContentTypeParser([...bodies.types], (request, payload, done) => {
    const refusal = refusalOf(request, bodies);
    if (refusal) done(refusal);
    else done(null, payload);
  });
}

function refusalOf(request: FastifyRequest, { routes, isText }: UnreadBodies): DomainError | null {
  if (!routes.includes(request.routeOptions.url ?? '')) return unreadable('The body must be application/json');
  const { headers } = request;
  const isPlain = NO_CODING.test(headers['content-encoding'] ?? '');
  if (isText) {
    const isReadable = isPlain && READABLE_CHARSET.test(charsetOf(headers['content-type'] ?? ''));
    return isReadable ? null : unreadable('The file must be UTF-8, not compressed');
  }
  return isPlain ? null : unreadable('The file must not be compressed');
}

function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
}

function unreadable(message: string): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
}
