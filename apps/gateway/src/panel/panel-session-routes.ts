import { type PanelSession, parseJsonBody } from '@postrider/contracts';
import { InvalidRequest, SCOPES } from '@postrider/domain';
import type { ShownAccessToken } from '@postrider/persistence';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerLookup } from '../auth/caller-lookup.service';
import { unauthorized } from '../auth/request-token';
import { sendError } from '../http/errors/error-body';
import { factsOf } from '../auth/caller';
import { giveSession, isFromPanel, readSession } from '../auth/sessions/session-cookies';
import { PANEL_SESSION_SECONDS, type PanelSessions } from '../auth/sessions/panel-sessions.service';
import type { SignInLimit } from '../auth/sign-in-limit.service';

const PATH = '/panel/session';
const NAME = 'postrider_panel';
const LARGEST_BODY_BYTES = 4_096;

/** What signing in needs from the gateway. */
interface PanelSessionOptions {
  callers: CallerLookup;
  sessions: PanelSessions;
  limit: SignInLimit;
  /** True if everybody may read the API reference; false if only the operator may. */
  areDocsPublic: boolean;
}

const OPERATOR: PanelSession = { kind: 'operator', appId: null, scopes: [...SCOPES], mayReadDocs: true };

/** `POST` signs a browser in with a token, `GET` returns who is signed in, `DELETE` signs out. */
export function addPanelSession(scope: FastifyInstance, options: PanelSessionOptions): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: LARGEST_BODY_BYTES },
    (_request, body, done) => {
      try {
        done(null, parseJsonBody(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  scope.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url !== PATH) return;
    void reply.header('cache-control', 'no-store');
    if (!isFromPanel(request)) return sendError(reply, unauthorized());
  });
  scope.setErrorHandler((error, _request, reply) => sendError(reply, error));
  scope.get(PATH, async (request, reply) => {
    const session = describe(request, options);
    // A token in the request is as much a try as one in the body of a sign-in.
    if (session === null) throw await options.limit.refuseShown(request);
    return reply.send(session);
  });
  scope.post(PATH, async (request, reply) => signIn(request, reply, options));
  scope.delete(PATH, async (request, reply) => {
    await options.sessions.end(readSession(request, NAME));
    return giveSession(request, reply, { name: NAME, value: '', maxAge: 0 }).send({});
  });
}

async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { callers, sessions, limit, areDocsPublic }: PanelSessionOptions,
): Promise<FastifyReply> {
  const token = (request.body as { token?: unknown } | null | undefined)?.token;
  if (typeof token !== 'string' || token === '') {
    throw new InvalidRequest([{ path: 'token', message: 'must be text' }]);
  }
  if (callers.isAdminToken(token)) {
    return begin(request, reply, sessions.openForOperator(), OPERATOR);
  }
  const found = await callers.findToken(token);
  if (found === null) throw await limit.refuse(request.raw);
  return begin(request, reply, sessions.openForToken(token), sessionOf(found, areDocsPublic));
}

function begin(request: FastifyRequest, reply: FastifyReply, value: string, session: PanelSession): FastifyReply {
  return giveSession(request, reply, { name: NAME, value, maxAge: PANEL_SESSION_SECONDS }).send(session);
}

function describe(request: FastifyRequest, { areDocsPublic }: PanelSessionOptions): PanelSession | null {
  const { identity } = factsOf(request);
  if (identity.kind === 'operator') return OPERATOR;
  if (identity.kind === 'stranger') return null;
  return sessionOf(identity.token, areDocsPublic);
}

function sessionOf({ appId, tokenId, scopes }: ShownAccessToken, mayReadDocs: boolean): PanelSession {
  return { kind: 'application', appId, tokenId, scopes: [...scopes], mayReadDocs };
}
