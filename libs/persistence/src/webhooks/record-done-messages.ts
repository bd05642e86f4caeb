import { DELIVERY_STATES } from '@postrider/domain';
import { joined, literal, sql, type Sql } from '../sql';

const TOTALS = joined(
  DELIVERY_STATES.map((state) => {
    const name = literal(state);
    return sql`${name}, count(*) FILTER (WHERE delivery.state = ${name})`;
  }),
  ', ',
);

/** Messages that have just become done, in parts of the statement that made them so. */
export interface DoneMessages {
  /** A table with the columns of `messages`; rows that are not done are passed over. */
  messages: Sql;
  /** A query of the states of all deliveries of the message `done`; asked when somebody wants to hear of it. */
  states: Sql;
}

/** Tells webhooks that ask for it of messages that are done, as a common table expression. */
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
  SELECT w.app_id, w.webhook_id, 'message.done', json_build_object('messageId', done.id, 'kind', done.kind,
    'trackId', done.track_id, 'clientId', done.client_id, 'batchId', done.batch_id, 'count', done.count,
    'totals', done.totals, 'acceptedAt', done.accepted_at, 'doneAt', done.done_at)
  FROM heard done
  JOIN webhooks w ON w.app_id = done.app_id AND w.is_enabled AND 'message.done' = ANY (w.events)`;
}
