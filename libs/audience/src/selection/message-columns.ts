import type { JsonObject } from '@postrider/domain';
import type { SqlParameters } from '../sql/sql-parameters';
import type { AudienceMembers, AudienceSelection } from './audience-selection';
import type { NewMessage } from './new-message';

/** The columns of a `messages` row that do not depend on how many devices there are. */
export interface MessageColumns {
  names: string;
  values: string;
  /** Placeholders that the rest of the statement uses too. */
  app: string;
  id: string;
  lane: string;
  acceptedAt: string;
}

/** Adds a message and its audience to `parameters`. */
export function messageColumns(
  message: NewMessage,
  { appId, channel, who }: AudienceSelection,
  parameters: SqlParameters,
): MessageColumns {
  const app = parameters.add(appId);
  const id = `${parameters.add(message.id)}::uuid`;
  const lane = parameters.add(message.lane);
  const acceptedAt = `${parameters.add(message.acceptedAt)}::timestamptz`;
  const expiresAt = `${parameters.add(message.expiresAt)}::timestamptz`;
  const others: [name: string, value: unknown][] = [
    ['kind', message.kind],
    ['is_campaign', message.isCampaign],
    ['audience', JSON.stringify({ ...audienceJson(who), channel })],
    ['user_ids', who.kind === 'users' ? [...new Set(who.userIds)] : null],
    ['channel', channel],
    ['content', JSON.stringify(message.content)],
    ['track_id', message.trackId ?? null],
    ['client_id', message.clientId ?? null],
    ['batch_id', message.batchId ?? null],
  ];
  return {
    names: ['app_id, id, lane, accepted_at, expires_at', ...others.map(([name]) => name)].join(', '),
    values: [
      app,
      id,
      lane,
      acceptedAt,
      expiresAt,
      ...others.map(([name, value]) => typed(name, parameters.add(value))),
    ].join(', '),
    app,
    id,
    lane,
    acceptedAt,
  };
}

/** In an INSERT … SELECT a parameter has to say its type where it is not text. */
const TYPES: Record<string, string> = {
  is_campaign: 'boolean',
  audience: 'jsonb',
  user_ids: 'text[]',
  content: 'jsonb',
  batch_id: 'uuid',
};

function typed(name: string, placeholder: string): string {
  return `${placeholder}::${TYPES[name] ?? 'text'}`;
}

/** As stored in `messages.audience`; named users have a column of their own. */
function audienceJson(who: AudienceMembers): JsonObject {
  if (who.kind === 'everyone') return { everyone: true };
  if (who.kind === 'users') return {};
  return {
    ...(who.target === undefined ? {} : { target: who.target }),
    ...(who.segment === undefined ? {} : { segment: who.segment }),
  };
}
