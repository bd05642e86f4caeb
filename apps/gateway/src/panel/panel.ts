import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_SECONDS, DomainError } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CallerLookup } from '../auth/caller-lookup.service';
import { markEndpoints } from '../auth/endpoint-access.decorator';
import { PanelSessions } from '../auth/sessions/panel-sessions.service';
import { SignInLimit } from '../auth/sign-in-limit.service';
import { sendError } from '../http/errors/error-body';
import { addPanelSession } from './panel-session-routes';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** The folder of the built panel. */
// eslint-disable-next-line @nx/enforce-module-boundaries -- its files are served; nothing of it is imported
export const PANEL_FOLDER = join(dirname(require.resolve('@postrider/panel/package.json')), 'dist');

/** The placeholder for the nonce in the build (apps/panel/vite.config.mjs). */
const PLACE_OF_NONCE = 'POSTRIDER_NONCE';

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Postrider</title></head>
<body><h1>The panel is not built</h1><p>Run <code>npx nx run-many -t build</code> and start the gateway again.</p></body></html>
`;

/** The panel's page, with a new nonce each time. Only styles with the nonce are allowed. */
export class PanelPage {
  readonly #page: string | null;

  constructor() {
    const file = join(PANEL_FOLDER, 'index.html');
    this.#page = existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** False if the panel was not built beside this program: then the page says so. */
  get isBuilt(): boolean {
    return this.#page !== null;
  }

  /** The page and its content security policy. */
  render(): { html: string; policy: string } {
    const nonce = randomBytes(16).toString('base64');
    return { html: (this.#page ?? NOT_BUILT).replaceAll(PLACE_OF_NONCE, nonce), policy: policyOf(nonce) };
  }
}

/**
 * Scripts and styles from this gateway only, nothing inline except styles with the nonce, no frame around it, no form
 * to another place.
 */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const BASE = '/panel';
/** Files of the build that have no hash in their names. */
const PLAIN_FILES = ['color-scheme.js', 'favicon.svg'];
const YEAR_SECONDS = 365 * DAY_SECONDS;

/**
 * Serves the panel at `/panel`: hashed files for a year, its page at every other address below for browsers that ask
 * for a page, and `/panel/session`, by which a browser signs in.
 */
@Injectable()
export class Panel {
  constructor(
    private readonly callers: CallerLookup,
    private readonly sessions: PanelSessions,
    private readonly limit: SignInLimit,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicDocs'>,
  ) {}

  /** Adds the routes. Call it before the server listens. */
  install(fastify: FastifyInstance): void {
    const page = new PanelPage();
    const { callers, sessions, limit, config } = this;
    void fastify.register(async (scope) => {
      markEndpoints(scope, { kind: 'plugin' });
      scope.addHook('onSend', async (_request, reply) => {
        void reply.header('referrer-policy', 'no-referrer').header('cross-origin-opener-policy', 'same-origin');
      });
      addPanelSession(scope, { callers, sessions, limit, areDocsPublic: config.publicDocs });
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

/** True at the panel's own address, where there is only its page: `curl`, which does not name HTML, gets it too. */
function isEntrance({ url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1);
  return path === BASE || path === `${BASE}/`;
}

/** A request for something other than a page at an unknown address does not get the page. */
function showPage(page: PanelPage, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isEntrance(request) && !(request.headers.accept ?? '').includes('text/html')) {
    return sendError(reply, new DomainError('NOT_FOUND', 'There is no such file'));
  }
  const { html, policy } = page.render();
  return reply
    .code(page.isBuilt ? 200 : 503)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
}
