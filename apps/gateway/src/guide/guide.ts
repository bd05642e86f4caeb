import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Injectable } from '@nestjs/common';
import { DomainError } from '@postrider/domain';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { markEndpoints } from '../auth/endpoint-access.decorator';
import { sendError } from '../http/errors/error-body';

/** The folder of the built guide. */
// eslint-disable-next-line @nx/enforce-module-boundaries -- its files are served; nothing of it is imported
const GUIDE_FOLDER = join(dirname(require.resolve('@postrider/guide/package.json')), 'dist');

const BASE = '/guide';
/** Pages change with a release: a browser asks again after this time. */
const FRESH_SECONDS = 600;

/** Scripts, styles, pictures and the search index come from here, nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the documents as a site at `/guide`, to everybody: they contain nothing about this installation. */
@Injectable()
export class Guide {
  /** Adds the routes. Call it before the server listens. */
  install(fastify: FastifyInstance): void {
    void fastify.register(addGuide, { prefix: BASE });
  }
}

async function addGuide(scope: FastifyInstance): Promise<void> {
  markEndpoints(scope, { kind: 'anybody' });
  if (!existsSync(join(GUIDE_FOLDER, 'index.html'))) {
    scope.get('', (_request, reply) => refuse(reply, 'The guide is not built'));
    return;
  }
  scope.addHook('onSend', async (_request, reply) => {
    void reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer');
  });
  await scope.register(fastifyStatic, {
    root: GUIDE_FOLDER,
    prefix: '/',
    index: false,
    maxAge: FRESH_SECONDS * 1_000,
  });
  scope.get('', (_request, reply) => reply.sendFile('index.html'));
  scope.setNotFoundHandler(showNoPage);
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    // A folder, or what is not in the guide.
    if (error.statusCode === 403) return showNoPage(request, reply);
    throw error;
  });
}

function showNoPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(request.headers.accept ?? '').includes('text/html')) return refuse(reply, 'There is no such page');
  return reply.code(404).header('cache-control', 'no-store').sendFile('404.html', { cacheControl: false });
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return sendError(reply, new DomainError('NOT_FOUND', message));
}
