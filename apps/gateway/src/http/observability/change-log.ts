import type { Logger } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsOf, type Identity } from '../../auth/caller';

/** A change that is logged, by its request. */
interface LoggedChange {
  change: string;
  /** Parameters of the path that name what was changed. Never one that names a person. */
  names?: readonly string[];
  /** Fields of the body that name what was created. Never one that names a person. */
  namesInBody?: readonly string[];
}

const OF_APPLICATION = ['id'];

/** Changes by people of applications, access, credentials, messages and settings, by method and route. */
export const LOGGED_CHANGES: Readonly<Record<string, LoggedChange>> = {
  'POST /api/admin/apps': { change: 'application.created', namesInBody: OF_APPLICATION },
  'PATCH /api/admin/apps/:id': { change: 'application.changed', names: OF_APPLICATION },
  'DELETE /api/admin/apps/:id': { change: 'application.deleted', names: OF_APPLICATION },
  'POST /api/admin/apps/:id/rotate-identity-key': { change: 'application.identity-key-rotated', names: OF_APPLICATION },
  'GET /api/admin/apps/:id/archive': { change: 'application.exported', names: OF_APPLICATION },
  'POST /api/admin/apps/:id/archive': { change: 'application.imported', names: OF_APPLICATION },
  'POST /api/admin/apps/:id/tokens': { change: 'token.created', names: OF_APPLICATION },
  'DELETE /api/admin/apps/:id/tokens/:tokenId': { change: 'token.revoked', names: ['id', 'tokenId'] },
  'PUT /api/admin/apps/:id/vendors/:vendor': { change: 'credentials.stored', names: ['id', 'vendor'] },
  'DELETE /api/admin/apps/:id/vendors/:vendor': { change: 'credentials.deleted', names: ['id', 'vendor'] },
  'POST /api/admin/apps/:id/vendors/:vendor/breaker/reset': { change: 'breaker.reset', names: ['id', 'vendor'] },
  'POST /api/admin/apps/:id/vendors/:vendor/quarantine/apply': {
    change: 'quarantine.applied',
    names: ['id', 'vendor'],
  },
  'POST /api/admin/apps/:id/vendors/:vendor/quarantine/release': {
    change: 'quarantine.released',
    names: ['id', 'vendor'],
  },
  'DELETE /api/admin/apps/:id/opted-out-numbers/:phone': { change: 'opt-out.removed', names: OF_APPLICATION },
  'POST /api/push/messages/:id/cancel': { change: 'message.cancelled', names: ['id'] },
  'POST /api/push/campaigns': { change: 'campaign.created' },
  'DELETE /api/users/:userId': { change: 'user.erased' },
  'POST /api/segments': { change: 'segment.created' },
  'PUT /api/segments/:id': { change: 'segment.changed', names: ['id'] },
  'DELETE /api/segments/:id': { change: 'segment.deleted', names: ['id'] },
  'POST /api/trackers': { change: 'tracker.created' },
  'PATCH /api/trackers/:id': { change: 'tracker.changed', names: ['id'] },
  'DELETE /api/trackers/:id': { change: 'tracker.deleted', names: ['id'] },
  'POST /api/webhooks': { change: 'webhook.created' },
  'PATCH /api/webhooks/:id': { change: 'webhook.changed', names: ['id'] },
  'DELETE /api/webhooks/:id': { change: 'webhook.deleted', names: ['id'] },
  'POST /api/webhooks/:id/rotate-secret': { change: 'webhook.secret-rotated', names: ['id'] },
  'PUT /api/promo/sets/:id': { change: 'promo-set.changed', names: ['id'] },
  'POST /api/containers/updatePromoCodes/:track_id': { change: 'promo-set.uploaded' },
  'POST /api/containers/updateGlobalPromoCodes': { change: 'promo-set.uploaded' },
};

/**
 * Writes a line `change.made` for a successful request of `LOGGED_CHANGES`: what was changed, and who did it. Other
 * requests get no line. It contains no token, user or content; the line `request.answered` of the same `requestId` has
 * the rest.
 *
 * @param route the route's pattern
 */
export function logChange(logger: Logger, route: string, request: FastifyRequest, reply: FastifyReply): void {
  const logged = LOGGED_CHANGES[`${request.method} ${route}`];
  if (logged === undefined || reply.statusCode >= 400) return;
  const { appId, identity } = factsOf(request);
  const parameters = request.params as Record<string, string>;
  const body = request.body as Record<string, unknown>;
  const named = [
    ...(logged.names ?? []).map((name) => [name, parameters[name]]),
    ...(logged.namesInBody ?? []).map((name) => [name, body[name]]),
  ];
  const facts = { change: logged.change, ...actorOf(identity), appId, target: Object.fromEntries(named) as object };
  logger.info({ requestId: request.id, ...facts }, 'change.made');
}

/** Who made the change: the operator, or the holder of a token, by the token's id. */
function actorOf(identity: Identity): { actor: string; tokenId?: string } {
  if (identity.kind !== 'token') return { actor: identity.kind };
  return { actor: 'token', tokenId: identity.token.tokenId };
}
