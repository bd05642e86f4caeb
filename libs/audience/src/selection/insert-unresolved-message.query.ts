import { type Executor, rows, sql } from '@postrider/persistence';
import type { AudienceSelection } from './audience-selection';
import type { AudienceMeasure } from './measure-audience.query';
import { messageRecord, RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-record';
import type { NewMessage } from './new-message';

/** When the sweeper looks at a message that no audience worker has taken up. */
const UNTAKEN_AFTER = sql`interval '1 second'`;

/** A scheduled message gets its job this long before its time, so that a sweeper that is busy then does not make it late. */
const ENQUEUED_AHEAD = sql`interval '5 seconds'`;

/** Writes a message whose audience the audience worker resolves. */
export async function insertUnresolvedMessage(
  executor: Executor,
  message: NewMessage,
  selection: AudienceSelection,
  { count, ceiling }: AudienceMeasure,
): Promise<void> {
  await rows(
    executor,
    sql`INSERT INTO messages (app_id, ${RECORD_COLUMNS}, count, resolve_ceiling, wake_at)
     SELECT ${selection.appId}, ${recordColumnsOf(sql`m`)}, ${count}::bigint, ${ceiling}::bigint,
       CASE WHEN m.send_at > m.accepted_at THEN greatest(m.send_at - ${ENQUEUED_AHEAD}, m.accepted_at) ELSE m.accepted_at + ${UNTAKEN_AFTER} END
     FROM ${recordsFrom([messageRecord(message, selection)], sql`m`)}`,
  );
}
