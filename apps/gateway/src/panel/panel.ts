import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Credentials } from '../auth/credentials.service';
import { markRoutes } from '../auth/route-access.decorator';
import { PanelSessions } from '../auth/sessions/panel-sessions';
import { SignInLimit } from '../auth/sign-in-limit.service';
import { answerTo } from '../http/errors/error-body';
import { PANEL_FOLDER, PanelPage } from './panel-files';
import { addPanelSession } from './panel-session-routes';

const BASE = '/panel';
/** Files of the build that have no hash in their names. */
const PLAIN_FILES = ['color-scheme.js', 'favicon.svg'];
const YEAR_SECONDS = 365 * 86_400;

/**
 * Serves the panel at `/panel`: hashed files for a year, its one page at every other address below for whoever asks for a
 * page, and `/panel/session`, by which a browser signs in.
 */
@Injectable()
export class Panel {
  constructor(
    private readonly credentials: Credentials,
    private readonly sessions: PanelSessions,
    private readonly limit: SignInLimit,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicDocs'>,
  ) {}

  install(fastify: FastifyInstance): void {
    const page = new PanelPage();
    const { credentials, sessions, limit, config } = this;
    void fastify.register(async (scope) => {
      markRoutes(scope, { kind: 'plugin' });
      scope.addHook('onSend', async (_request, reply) => {
        void reply.header('referrer-policy', 'no-referrer').header('cross-origin-opener-policy', 'same-origin');
      });
      addPanelSession(scope, { credentials, sessions, limit, areDocsPublic: config.publicDocs });
      if (page.isBuilt) await addFiles(scope);
      const show = (request: FastifyRequest, reply: FastifyReply): FastifyReply => showPage(page, request, reply);
      scope.get(BASE, show);
      scope.get(`${BASE}/*`, show);
    });
  }
}

async function addFiles(scope: FastifyInstance): Promise<void> {
  await scope.register(fastifyStatic, {
    root: join(PANEL_FOLDER, 'assets'),
    prefix: `${BASE}/assets/`,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_SECONDS * 1_000,
  });
  for (const name of PLAIN_FILES) {
    scope.get(`${BASE}/${name}`, (_request, reply) =>
      reply.sendFile(name, PANEL_FOLDER, { immutable: false, maxAge: 0, cacheControl: true }),
    );
  }
}

/** Whoever asks for something else than a page at an address that has none gets no page. */
function showPage(page: PanelPage, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(headers.accept ?? '').includes('text/html')) {
    const { status, body } = answerTo(new DomainError('NOT_FOUND', 'There is no such file'));
    return reply.code(status).type('application/json; charset=utf-8').send(body);
  }
  const { html, policy } = page.render();
  return reply
    .code(page.isBuilt ? 200 : 503)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
}
