import type { Lane, MessageContent, MessageKind } from '@postrider/domain';
import { joined, type Parameter, sql, Sql } from '@postrider/persistence';
import { type AudienceSelection, storedAudienceOf } from './audience-selection';

/** A message that is about to be accepted: everything but its audience. */
export interface NewMessage {
  /** A UUID version 7 of the moment at which the message is sent: it decides the partition. */
  id: string;
  kind: MessageKind;
  isCampaign: boolean;
  lane: Lane;
  content: MessageContent;
  trackId?: string;
  clientId?: string;
  batchId?: string;
  acceptedAt: Date;
  expiresAt: Date;
  /** When and how fast it is sent; left out: at once, and as fast as possible. */
  schedule?: MessageSchedule;
  /** True if some of its devices may have to wait for the end of quiet hours, also for their own connection. */
  mayBeQuiet?: boolean;
}

/** When and how fast a message is sent. */
export interface MessageSchedule {
  /** Devices per second. */
  rate?: number;
  /** When its audience is resolved; with `localTime`: the moment at which the first time zone has that time. */
  sendAt?: Date;
  /** The local time at which each device gets it, written as if it were UTC. */
  localTime?: Date;
  /** How long it lives, from the local time of each time zone on. */
  ttlSeconds: number;
  ignoreQuietHours: boolean;
}

/** The columns of a `messages` row that do not depend on how many devices there are, with their types. */
const COLUMNS = {
  id: 'uuid',
  kind: 'text',
  is_campaign: 'boolean',
  lane: 'text',
  audience: 'jsonb',
  user_ids: 'text[]',
  channel: 'text',
  content: 'jsonb',
  track_id: 'text',
  client_id: 'text',
  batch_id: 'uuid',
  accepted_at: 'timestamptz',
  expires_at: 'timestamptz',
  rate: 'integer',
  send_at: 'timestamptz',
  local_time: 'timestamp',
  ttl_seconds: 'integer',
  ignore_quiet_hours: 'boolean',
} as const;

/** A message as its row holds it; becomes JSON. What is undefined is left out of the JSON, and null in the row. */
type MessageRow = Record<keyof typeof COLUMNS, unknown>;

/** The names of the columns, for an INSERT. */
export const RECORD_COLUMNS = joined(
  Object.keys(COLUMNS).map((name) => written(name)),
  ', ',
);

/** Returns the same columns of rows of `alias`, for the SELECT that feeds the INSERT. */
export function recordColumnsOf(alias: Sql): Sql {
  return joined(
    Object.keys(COLUMNS).map((name) => sql`${alias}.${written(name)}`),
    ', ',
  );
}

/**
 * Returns a FROM item: the rows of a JSON array of `MessageRow`s, however many there are.
 * @param records the array as JSON
 * @param further further columns of the records, as `name type`
 */
export function recordsFrom(records: Parameter, alias: Sql, further: readonly Sql[] = []): Sql {
  const columns = [...Object.entries(COLUMNS).map(([name, type]) => written(`${name} ${type}`)), ...further];
  return sql`json_to_recordset(${records}::json) AS ${alias} (${joined(columns, ', ')})`;
}

/** Returns a name or a type of `COLUMNS` as SQL. */
function written(name: string): Sql {
  return new Sql([name], []);
}

/** Returns a message and its audience as a row. */
export function messageRow(message: NewMessage, { channel, who }: AudienceSelection): MessageRow {
  return {
    id: message.id,
    kind: message.kind,
    is_campaign: message.isCampaign,
    lane: message.lane,
    audience: { ...storedAudienceOf(who), channel },
    user_ids: who.kind === 'users' ? distinct(who.userIds) : undefined,
    channel,
    content: message.content,
    track_id: message.trackId,
    client_id: message.clientId,
    batch_id: message.batchId,
    accepted_at: message.acceptedAt,
    expires_at: message.expiresAt,
    ...scheduleRecord(message.schedule),
  };
}

function scheduleRecord(schedule: NewMessage['schedule']): Pick<MessageRow, keyof typeof UNSCHEDULED> {
  if (schedule === undefined) return UNSCHEDULED;
  return {
    rate: schedule.rate,
    send_at: schedule.sendAt,
    local_time: schedule.localTime,
    ttl_seconds: schedule.localTime === undefined ? undefined : schedule.ttlSeconds,
    ignore_quiet_hours: schedule.ignoreQuietHours,
  };
}

const UNSCHEDULED = {
  rate: undefined,
  send_at: undefined,
  local_time: undefined,
  ttl_seconds: undefined,
  ignore_quiet_hours: false,
};

function distinct(userIds: string[]): string[] {
  return userIds.length === 1 ? userIds : [...new Set(userIds)];
}
