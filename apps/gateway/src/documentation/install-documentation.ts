import { readFile } from 'node:fs/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { buildDocument } from './build-document';
import { DOCS_PAGE, DOCS_POLICY, DOCS_START } from './docs-page';

/** Files of `swagger-ui-dist` that the page loads, and their types. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

/** Puts the OpenAPI document at `/api/openapi.json` and a page to read it at `/docs` (operations, Health). */
export function installDocumentation(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  let document: string | undefined;
  fastify.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(buildDocument(app));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  fastify.get('/docs', (_request, reply) =>
    reply.header('content-security-policy', DOCS_POLICY).type('text/html; charset=utf-8').send(DOCS_PAGE),
  );
  fastify.get('/docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(DOCS_START));
  for (const [name, type] of Object.entries(ASSETS)) {
    let asset: Promise<Buffer> | undefined;
    fastify.get(`/docs/${name}`, async (_request, reply) => {
      asset ??= readFile(require.resolve(`swagger-ui-dist/${name}`));
      return reply
        .type(type)
        .header('cache-control', 'public, max-age=86400')
        .send(await asset);
    });
  }
}
