import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { Injectable } from '@nestjs/common';
import { QueueInspector } from '@postrider/queues';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CallerLookup } from '../auth/caller-lookup.service';
import { isOperator, wantsPage } from '../auth/internal-pages.service';
import { markEndpoints } from '../auth/endpoint-access.decorator';
import { SignInLimit } from '../auth/sign-in-limit.service';
import { unauthorized } from '../auth/request-token';
import { sendError } from '../http/errors/error-body';
import { PANEL_SESSION_SECONDS, PanelSessions } from '../auth/sessions/panel-sessions.service';
import { giveSession, isSameOrigin, readSession } from '../auth/sessions/session-cookies';

/** No script, nothing from elsewhere, never inside another page. */
const SIGN_IN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * The page on which operators enter their token.
 *
 * @param to where it leads: a path of ours, without characters that are special in HTML
 * @param problem why the last token was refused; null at first
 */
function signInPage(to: string, problem: string | null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Postrider: sign in</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0; }
form { display: grid; gap: .75rem; width: min(22rem, 90vw); }
input, button { font: inherit; padding: .5rem .75rem; }
p { color: #b00020; margin: 0; }
</style>
</head>
<body>
<form method="post" action="/queues/sign-in">
<h1>Operator</h1>
<input type="hidden" name="to" value="${to}">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
${problem === null ? '' : `<p role="alert">${problem}</p>`}
<button type="submit">Sign in</button>
</form>
</body>
</html>
`;
}

const BASE = '/queues';
const NAME = 'postrider_operator';
/** Where an operator signs in. `?to=/docs` leads to the API reference afterwards. */
export const SIGN_IN = `${BASE}/sign-in`;
/** Where a sign-in may lead. */
const PLACES = [BASE, '/docs'];
const BOARD_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'self'";
const LARGEST_FORM_BYTES = 4_096;

/**
 * Serves Bull Board at `/queues` to callers who send the admin token with each request, or signed in with it in this
 * browser, here or in the panel.
 */
@Injectable()
export class QueuesBoard {
  constructor(
    readonly inspector: QueueInspector,
    readonly callers: CallerLookup,
    readonly sessions: PanelSessions,
    readonly limit: SignInLimit,
  ) {}

  /** Adds the routes, for the queues that the inspector knows. Call it before the server listens. */
  install(fastify: FastifyInstance): void {
    const board = new FastifyAdapter().setBasePath(BASE);
    createBullBoard({
      queues: this.inspector.queues().map((queue) => new BullMQAdapter(queue)),
      serverAdapter: board,
      options: { uiConfig: { boardTitle: 'Postrider' } },
    });
    void fastify.register(async (scope) => {
      markEndpoints(scope, { kind: 'plugin' });
      readForms(scope);
      addSignIn(scope, this);
      await scope.register(async (guarded) => {
        guarded.addHook('onRequest', (request, reply) => this.#admit(request, reply));
        await guarded.register(board.registerPlugin(), { prefix: BASE });
      });
    });
  }

  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (await isOperator(request, this.sessions)) return void reply.header('content-security-policy', BOARD_POLICY);
    if (wantsPage(request)) return reply.redirect(SIGN_IN, 303);
    return sendError(reply, await this.limit.refuseShown(request));
  }
}

/**
 * The board's own requests are JSON, and the sign-in is a form. Both are small, and no token is checked at this point.
 */
function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'));
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: LARGEST_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}

function addSignIn(scope: FastifyInstance, { callers, sessions, limit }: QueuesBoard): void {
  const showPage = (reply: FastifyReply, to: string, problem: string | null): FastifyReply =>
    reply
      .header('content-security-policy', SIGN_IN_POLICY)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(signInPage(to, problem));
  scope.get<{ Querystring: { to?: unknown } }>(SIGN_IN, ({ query }, reply) => showPage(reply, placeOf(query.to), null));
  scope.post<{ Body: { token?: unknown; to?: unknown } | null }>(SIGN_IN, async (request, reply) => {
    const token = request.body?.token;
    const to = placeOf(request.body?.to);
    if (!isSameOrigin(request) || typeof token !== 'string') return showPage(reply.code(401), to, WRONG);
    if (!callers.isAdminToken(token)) {
      const { code, options } = await limit.refuse(request.raw);
      if (code !== 'RATE_LIMITED') return showPage(reply.code(401), to, WRONG);
      const seconds = String(options.retryAfterSeconds);
      return showPage(
        reply.code(429).header('retry-after', seconds),
        to,
        `Too many wrong tokens. Try again in ${seconds} s.`,
      );
    }
    const session = { name: NAME, value: sessions.openForOperator(), maxAge: PANEL_SESSION_SECONDS } as const;
    return giveSession(request, reply, session).redirect(to, 303);
  });
  scope.post(`${BASE}/sign-out`, async (request, reply) => {
    if (!isSameOrigin(request)) return sendError(reply, unauthorized());
    await sessions.end(readSession(request, NAME));
    return giveSession(request, reply, { name: NAME, value: '', maxAge: 0 }).redirect(SIGN_IN, 303);
  });
}

const WRONG = 'That is not the admin token.';

/** Only our own places: a link must not lead a person who signs in elsewhere. */
function placeOf(text: unknown): string {
  return PLACES.find((place) => place === text) ?? BASE;
}
