import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InternalPages, wantsPage } from '../auth/internal-pages.service';
import { markEndpoints } from '../auth/endpoint-access.decorator';
import { SIGN_IN } from '../queues-board/queues-board';
import { toOpenApi30 } from './open-api-30';

/** Everything comes from this gateway. Swagger UI writes styles into its elements. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page that shows the API document. */
const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postrider API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="document"></div>
<noscript>This page needs JavaScript. The document itself is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** A file of its own, so that the page needs no inline script. */
const DOCS_START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#document', validatorUrl: null, deepLinking: true });
`;

const PAGE = '/docs';
/** Files of `swagger-ui-dist` that the page loads, and their types. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

/**
 * Serves the OpenAPI document at `/api/openapi.json`, the same as OpenAPI 3.0 at `/api/openapi-3.0.json`, and a page to
 * read it at `/docs`, to those whom `InternalPages` admits.
 */
@Injectable()
export class Documentation {
  constructor(private readonly internal: InternalPages) {}

  /** @param build makes the document on the first request for it */
  install(fastify: FastifyInstance, build: () => OpenAPIObject): void {
    const { internal } = this;
    const texts: Record<string, string> = {};
    const documents = { '/api/openapi.json': build, '/api/openapi-3.0.json': () => toOpenApi30(build()) };
    void fastify.register((scope, _options, done) => {
      markEndpoints(scope, { kind: 'plugin' });
      scope.addHook('onRequest', (request, reply) => admit(internal, request, reply));
      for (const [path, make] of Object.entries(documents)) {
        scope.get(path, (_request, reply) => {
          texts[path] ??= JSON.stringify(make());
          return reply.type('application/json; charset=utf-8').send(texts[path]);
        });
      }
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
