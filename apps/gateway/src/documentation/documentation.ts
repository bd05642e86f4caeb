import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wantsPage } from '../auth/is-operator';
import { InternalPages } from '../auth/internal-pages.service';
import { markRoutes } from '../auth/route-access.decorator';
import { SIGN_IN } from '../queues-board/queues-board';
import { DOCS_PAGE, DOCS_POLICY, DOCS_START } from './docs-page';

const PAGE = '/docs';
/** Files of `swagger-ui-dist` that the page loads, and their types. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

/**
 * Puts the OpenAPI document at `/api/openapi.json` and a page to read it at `/docs`, for those whom
 * `InternalPages` lets in.
 */
@Injectable()
export class Documentation {
  constructor(private readonly internal: InternalPages) {}

  /** @param build makes the document, once it is asked for */
  install(fastify: FastifyInstance, build: () => OpenAPIObject): void {
    const { internal } = this;
    let document: string | undefined;
    void fastify.register((scope, _options, done) => {
      markRoutes(scope, { kind: 'plugin' });
      scope.addHook('onRequest', (request, reply) => admit(internal, request, reply));
      scope.get('/api/openapi.json', (_request, reply) => {
        document ??= JSON.stringify(build());
        return reply.type('application/json; charset=utf-8').send(document);
      });
      addPage(scope, internal);
      done();
    });
  }
}

async function admit(internal: InternalPages, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const isPage = request.routeOptions.url === PAGE && wantsPage(request);
  if (isPage && !(await internal.admits(request))) return reply.redirect(`${SIGN_IN}?to=${PAGE}`, 303);
  return internal.admit(request, reply);
}

function addPage(scope: FastifyInstance, { arePublic }: InternalPages): void {
  scope.get(PAGE, (_request, reply) =>
    reply.header('content-security-policy', DOCS_POLICY).type('text/html; charset=utf-8').send(DOCS_PAGE),
  );
  scope.get(`${PAGE}/start.js`, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(DOCS_START));
  for (const [name, type] of Object.entries(ASSETS)) {
    let asset: Promise<Buffer> | undefined;
    scope.get(`${PAGE}/${name}`, async (_request, reply) => {
      asset ??= readFile(require.resolve(`swagger-ui-dist/${name}`));
      if (arePublic) void reply.header('cache-control', 'public, max-age=86400');
      return reply.type(type).send(await asset);
    });
  }
}
