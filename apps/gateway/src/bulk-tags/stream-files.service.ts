import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DomainError } from '@postrider/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unauthorized } from '../auth/unauthorized';
import { factsOf } from '../http/request-facts';

/** What a file may be, and the format that it is then read in. */
export const TAG_FILE_TYPES = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
} as const;

const ROUTE = '/api/installations/bulk/tags';
const NO_CODING = /^\s*(?:identity)?\s*$/i;
const READABLE_CHARSET = /^(?:utf-?8|us-ascii)$/i;

/** Hands files on to their route as they arrive, unread; everywhere else they are no content that is taken. */
@Injectable()
export class StreamFiles implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser(Object.keys(TAG_FILE_TYPES), (request, payload, done) => {
      const refusal = refusalOf(request);
      if (refusal) done(refusal);
      else done(null, payload);
    });
  }
}

function refusalOf(request: FastifyRequest): DomainError | null {
  if (request.routeOptions.url !== ROUTE) return unreadable('The body must be application/json');
  if (factsOf(request).identity.kind === 'stranger') return unauthorized();
  const { headers } = request;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (READABLE_CHARSET.test(charset) && NO_CODING.test(headers['content-encoding'] ?? '')) return null;
  return unreadable('The file must be UTF-8, not compressed');
}

function unreadable(message: string): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
}
