import type { FastifyRequest } from 'fastify';
import { readBasePath, readHostLabel } from './base-address';
import { isFromPanel } from './sessions/is-from-panel';
import { readPanelCookie } from './sessions/panel-cookie';
import type { PanelSession, PanelSessions } from './sessions/panel-sessions';
import type { Credentials } from './credentials.service';
import type { ShownAccessToken } from '@postrider/persistence';
import { readShownToken } from './request-token';

/** Who a request comes from: nobody that is known (`stranger`), the operator, or the holder of an application's token. */
export type Identity =
  | { kind: 'stranger' }
  /** `application`: the one he acts on; undefined when he names none, null when there is none of that name. */
  | { kind: 'operator'; application: string | null | undefined }
  | { kind: 'token'; token: ShownAccessToken };

const STRANGER: Identity = { kind: 'stranger' };

/** What is known about the sender of a request before its body is read. */
export interface Identified {
  identity: Identity;
  addressedAppId: string | null | undefined;
}

/**
 * Finds out who sends a request, and which application its base address names. Whoever shows no token, two different ones,
 * an unknown or revoked one, or one of another application than the one addressed is a stranger: nothing tells the cases
 * apart (decisions, Answers, 401).
 *
 * @returns at once when all is known from memory
 */
export function identify(
  request: FastifyRequest,
  credentials: Credentials,
  sessions: PanelSessions,
): Identified | Promise<Identified> {
  const shown = readShownToken(request);
  const pathAppId = readBasePath(request.originalUrl).appId;
  if (shown.kind === 'none') return identifySession(request, credentials, sessions, pathAppId);
  if (shown.kind !== 'one') return { identity: STRANGER, addressedAppId: pathAppId };
  if (credentials.isAdminToken(shown.token)) return identifyOperator(request, credentials, pathAppId);
  return identifyFound(request, credentials, credentials.findToken(shown.token), pathAppId);
}

/** A browser that is signed in to the panel shows a cookie, which counts for what the panel's own page asks. */
function identifySession(
  request: FastifyRequest,
  credentials: Credentials,
  sessions: PanelSessions,
  pathAppId: string | null | undefined,
): Identified | Promise<Identified> {
  const cookie = readPanelCookie(request);
  if (cookie === undefined || !isFromPanel(request)) return { identity: STRANGER, addressedAppId: pathAppId };
  const proceed = (session: PanelSession | null): Identified | Promise<Identified> => {
    if (session === null) return { identity: STRANGER, addressedAppId: pathAppId };
    if (session.kind === 'operator') return identifyOperator(request, credentials, pathAppId);
    return identifyFound(request, credentials, credentials.findTokenByHash(session.tokenHash), pathAppId);
  };
  const session = sessions.read(cookie);
  return session instanceof Promise ? session.then(proceed) : proceed(session);
}

function identifyFound(
  request: FastifyRequest,
  credentials: Credentials,
  found: ShownAccessToken | null | Promise<ShownAccessToken | null>,
  pathAppId: string | null | undefined,
): Identified | Promise<Identified> {
  const label = readHostLabel(request.headers.host);
  if (found instanceof Promise) {
    return found.then((token) => identifyHolder(credentials, token, pathAppId, label));
  }
  return identifyHolder(credentials, found, pathAppId, label);
}

/** An operator says by base path, host or `?appId=` which application he acts on. */
async function identifyOperator(
  request: FastifyRequest,
  credentials: Credentials,
  pathAppId: string | null | undefined,
): Promise<Identified> {
  const label = readHostLabel(request.headers.host);
  const hostAppId = label === undefined ? null : await credentials.findApplicationByLabel(label);
  const asked = (request.query as Record<string, unknown> | null)?.appId;
  const named = pathAppId ?? hostAppId ?? (typeof asked === 'string' && asked !== '' ? asked : undefined);
  if (named === undefined) return { identity: { kind: 'operator', application: undefined }, addressedAppId: pathAppId };
  const exists = (await credentials.findApplicationByLabel(named.toLowerCase())) === named;
  return { identity: { kind: 'operator', application: exists ? named : null }, addressedAppId: pathAppId };
}

function identifyHolder(
  credentials: Credentials,
  token: ShownAccessToken | null,
  pathAppId: string | null | undefined,
  label: string | undefined,
): Identified | Promise<Identified> {
  const stranger = { identity: STRANGER, addressedAppId: pathAppId };
  if (token === null) return stranger;
  if (typeof pathAppId === 'string' && pathAppId !== token.appId) return stranger;
  const holder: Identified = { identity: { kind: 'token', token }, addressedAppId: pathAppId };
  if (label === undefined || label === token.appId.toLowerCase()) return holder;
  return credentials.findApplicationByLabel(label).then((hostAppId) => (hostAppId === null ? holder : stranger));
}
