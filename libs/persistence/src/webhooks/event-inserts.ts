import { type DeliveryState, type JsonObject, type WebhookEventType, DELIVERY_STATES } from '@postrider/domain';
import { isoTime, type Parameter, parameter, type Sql, sql, joined, literal } from '../sql';

/**
 * Ends a query of the webhooks `w` that get an event. It takes the lock that their foreign key takes when the event is
 * written, but before: a webhook that is being deleted gets no event. Otherwise the foreign key would refuse the whole
 * transaction, with what the event is about.
 */
export const UNLESS_DELETED = sql`FOR KEY SHARE OF w`;

/**
 * Writes webhook events about tokens that were switched off, as a common table expression.
 *
 * @param app the application
 * @param off a table with their `installation_id`, `user_id` and `push_type`
 */
export function insertTokenRemovedEvents({ app, off }: { app: Sql; off: Sql }): Sql {
  return sql`
    INSERT INTO webhook_events (app_id, webhook_id, type, data)
    SELECT w.app_id, w.webhook_id, 'token.removed', removed.data
    FROM (
      SELECT json_build_object('reason', 'the vendor says that these tokens are dead', 'count', count(*), 'tokens', json_agg(
        json_build_object('installationId', installation_id, 'userId', user_id, 'vendor', push_type))) AS data
      FROM ${off} HAVING count(*) > 0
    ) removed
    JOIN webhooks w ON w.app_id = ${app} AND w.is_enabled AND 'token.removed' = ANY (w.events) ${UNLESS_DELETED}`;
}

/**
 * Writes webhook events about fallbacks that a provider accepted, as a common table expression.
 *
 * @param recorded a table with the columns of fallbacks as they are now, and `is_unsent`: nobody knew before that it
 * was accepted
 */
export function insertFallbackSentEvents(recorded: Sql): Sql {
  return sql`
    INSERT INTO webhook_events (app_id, webhook_id, type, data)
    SELECT w.app_id, w.webhook_id, 'fallback.sent', json_build_object('messageId', r.message_id, 'userId', r.user_id,
      'provider', r.provider, 'phone', r.phone, 'sentAt', ${isoTime(sql`r.sent_at`)})
    FROM ${recorded} r
    JOIN webhooks w ON w.app_id = r.app_id AND w.is_enabled AND 'fallback.sent' = ANY (w.events)
    WHERE r.is_unsent AND r.sent_at IS NOT NULL ${UNLESS_DELETED}`;
}

/**
 * Writes webhook events as a common table expression: one for each row of `begun`, which has an `app_id`. There are few
 * rows: each is trouble with a vendor that has just begun.
 */
export function insertVendorEvents(begun: Sql, { type, data }: { type: WebhookEventType; data: JsonObject }): Sql {
  const eventType = parameter(type);
  return sql`
    INSERT INTO webhook_events (app_id, webhook_id, type, data)
    SELECT w.app_id, w.webhook_id, ${eventType}, ${JSON.stringify(data)}::json
    FROM ${begun} JOIN webhooks w ON w.app_id = ${begun}.app_id AND w.is_enabled AND ${eventType} = ANY (w.events)
    ${UNLESS_DELETED}`;
}

const TOTALS = joined(
  DELIVERY_STATES.map((state) => {
    const name = literal(state);
    return sql`${name}, coalesce(sum(delivery.count) FILTER (WHERE delivery.state = ${name}), 0)`;
  }),
  ', ',
);

/** Messages that have just become done, as parts of a statement. */
interface DoneMessages {
  /** A table with the columns of `messages`. Rows that are not done are skipped. */
  messages: Sql;
  /** A query of `state` and `count` of all deliveries of the message `done`; read only if a webhook asks for it. */
  states: Sql;
}

/** Writes events about done messages for webhooks that ask for them, as a common table expression. */
export function recordDoneMessages({ messages, states }: DoneMessages): Sql {
  return sql`
  INSERT INTO webhook_events (app_id, webhook_id, type, data)
  WITH heard AS MATERIALIZED (
    SELECT done.*, counted.totals
    FROM (
      SELECT * FROM ${messages} done
      WHERE done.status = 'done' AND EXISTS (
        SELECT 1 FROM webhooks w WHERE w.app_id = done.app_id AND w.is_enabled AND 'message.done' = ANY (w.events)
      ) OFFSET 0
    ) done
    CROSS JOIN LATERAL (SELECT json_build_object(${TOTALS}) AS totals FROM (${states}) delivery) counted
  )
  SELECT w.app_id, w.webhook_id, 'message.done', ${dataOfDone(sql`done.totals`)}
  FROM heard done
  JOIN webhooks w ON w.app_id = done.app_id AND w.is_enabled AND 'message.done' = ANY (w.events) ${UNLESS_DELETED}`;
}

/** Returns the data of an event about the message `done`. */
function dataOfDone(totals: Sql): Sql {
  return sql`json_build_object('messageId', done.id, 'kind', done.kind,
    'trackId', done.track_id, 'clientId', done.client_id, 'batchId', done.batch_id, 'count', done.count,
    'totals', ${totals}, 'acceptedAt', ${isoTime(sql`done.accepted_at`)}, 'doneAt', ${isoTime(sql`done.done_at`)})`;
}

/**
 * Like `recordDoneMessages`, for messages to a few devices that are done as soon as they are accepted. It has fewer
 * parts, which take PostgreSQL longer to start than a message takes.
 *
 * @param messages a table with the columns of `messages` that an event names; all rows are done
 * @param counts the number of deliveries of the message `done` in each state that there are any in
 */
export function recordDoneAtOnce({ app, messages, counts }: DoneAtOnce): Sql {
  const totals = DELIVERY_STATES.map((state) => sql`${literal(state)}, ${counts[state] ?? sql`0`}`);
  return sql`
  INSERT INTO webhook_events (app_id, webhook_id, type, data)
  SELECT w.app_id, w.webhook_id, 'message.done', ${dataOfDone(sql`json_build_object(${joined(totals, ', ')})`)}
  FROM webhooks w CROSS JOIN ${messages} done
  WHERE w.app_id = ${app} AND w.is_enabled AND 'message.done' = ANY (w.events) ${UNLESS_DELETED}`;
}

interface DoneAtOnce {
  app: Parameter;
  messages: Sql;
  counts: Partial<Record<DeliveryState, Sql>>;
}
