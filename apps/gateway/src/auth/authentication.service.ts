import { Injectable } from '@nestjs/common';
import { InvalidRequest } from '@postrider/domain';
import type { ShownAccessToken } from '@postrider/persistence';
import { hashAccessToken } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { readBasePath, readHostLabel } from './base-address';
import { CallerLookup } from './caller-lookup.service';
import { factsOf, type Identified, type Identity } from './caller';
import { readShownToken } from './request-token';
import { accessOf } from './endpoint-access.decorator';
import { isFromPanel, readSession } from './sessions/session-cookies';
import { type PanelSession, PanelSessions } from './sessions/panel-sessions.service';

const STRANGER: Identity = { kind: 'stranger' };

/**
 * Finds out who sends a request, and which application its base address names, before the body is read. A request
 * counts as a stranger's if it has no token, two different ones, or one that is unknown, revoked or of another
 * application than the addressed one. From outside these cases cannot be told apart.
 */
@Injectable()
export class Authentication {
  constructor(
    private readonly callers: CallerLookup,
    private readonly sessions: PanelSessions,
  ) {}

  /**
   * Adds the caller to the facts of the request.
   *
   * @throws InvalidRequest if the application in the path cannot be read
   * @returns nothing, synchronously, if everything is cached
   */
  authenticate(request: FastifyRequest): void | Promise<void> {
    if (accessOf(request)?.kind === 'anybody') return undefined;
    const note = ({ identity, addressedAppId }: Identified): void => {
      if (addressedAppId === null) {
        throw new InvalidRequest([{ path: 'app_id', message: 'is badly encoded in the path' }]);
      }
      Object.assign(factsOf(request), { identity, addressedAppId });
    };
    const identified = this.#identify(request);
    if (identified instanceof Promise) return identified.then(note);
    note(identified);
    return undefined;
  }

  #identify(request: FastifyRequest): Identified | Promise<Identified> {
    const shown = readShownToken(request);
    const pathAppId = readBasePath(request.originalUrl).appId;
    if (shown.kind === 'none') return this.#identifySession(request, pathAppId);
    if (shown.kind !== 'one') return { identity: STRANGER, addressedAppId: pathAppId };
    const hash = hashAccessToken(shown.token);
    if (this.callers.isAdminHash(hash)) return this.#identifyOperator(request, pathAppId);
    return this.#identifyFound(request, this.callers.findTokenByHash(hash), pathAppId);
  }

  /** The session cookie of the panel is accepted only from the panel's own page. */
  #identifySession(request: FastifyRequest, pathAppId: string | null | undefined): Identified | Promise<Identified> {
    const cookie = readSession(request, 'postrider_panel');
    if (cookie === undefined || !isFromPanel(request)) return { identity: STRANGER, addressedAppId: pathAppId };
    const proceed = (session: PanelSession | null): Identified | Promise<Identified> => {
      if (session === null) return { identity: STRANGER, addressedAppId: pathAppId };
      if (session.kind === 'operator') return this.#identifyOperator(request, pathAppId);
      return this.#identifyFound(request, this.callers.findTokenByHash(session.tokenHash), pathAppId);
    };
    const session = this.sessions.read(cookie);
    return session instanceof Promise ? session.then(proceed) : proceed(session);
  }

  #identifyFound(
    request: FastifyRequest,
    found: ShownAccessToken | null | Promise<ShownAccessToken | null>,
    pathAppId: string | null | undefined,
  ): Identified | Promise<Identified> {
    const label = readHostLabel(request.headers.host);
    if (found instanceof Promise) return found.then((token) => this.#identifyHolder(token, pathAppId, label));
    return this.#identifyHolder(found, pathAppId, label);
  }

  /** An operator names the application by base path, host or `?appId=`. */
  async #identifyOperator(request: FastifyRequest, pathAppId: string | null | undefined): Promise<Identified> {
    const label = readHostLabel(request.headers.host);
    const hostAppId = label === undefined ? null : await this.callers.findApplicationByLabel(label);
    const asked = (request.query as Record<string, unknown> | null)?.appId;
    const named = pathAppId ?? hostAppId ?? (typeof asked === 'string' && asked !== '' ? asked : undefined);
    if (named === undefined)
      return { identity: { kind: 'operator', application: undefined }, addressedAppId: pathAppId };
    const exists = (await this.callers.findApplicationByLabel(named.toLowerCase())) === named;
    return { identity: { kind: 'operator', application: exists ? named : null }, addressedAppId: pathAppId };
  }

  #identifyHolder(
    token: ShownAccessToken | null,
    pathAppId: string | null | undefined,
    label: string | undefined,
  ): Identified | Promise<Identified> {
    const stranger = { identity: STRANGER, addressedAppId: pathAppId };
    if (token === null) return stranger;
    if (typeof pathAppId === 'string' && pathAppId !== token.appId) return stranger;
    const holder: Identified = { identity: { kind: 'token', token }, addressedAppId: pathAppId };
    if (label === undefined || label === token.appId.toLowerCase()) return holder;
    return this.callers.findApplicationByLabel(label).then((hostAppId) => (hostAppId === null ? holder : stranger));
  }
}
