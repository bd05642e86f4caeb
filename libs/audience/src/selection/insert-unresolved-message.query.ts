import { type Executor, rows } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
import type { AudienceSelection } from './audience-selection';
import type { AudienceMeasure } from './measure-audience.query';
import { messageColumns } from './message-columns';
import type { NewMessage } from './new-message';

/** When the sweeper looks at a message that no audience worker has taken up. */
const UNTAKEN_AFTER = `interval '5 seconds'`;

/** Writes a message whose audience the audience worker resolves. */
export async function insertUnresolvedMessage(
  executor: Executor,
  message: NewMessage,
  selection: AudienceSelection,
  { count, ceiling }: AudienceMeasure,
): Promise<void> {
  const parameters = new SqlParameters();
  const columns = messageColumns(message, selection, parameters);
  await rows(
    executor,
    `INSERT INTO messages (${columns.names}, count, resolve_ceiling, wake_at)
     VALUES (${columns.values}, ${parameters.add(count)}, ${parameters.add(ceiling)},
       ${columns.acceptedAt} + ${UNTAKEN_AFTER})`,
    parameters.values,
  );
}
