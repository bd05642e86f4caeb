import { type Executor, rows } from '../database/executor';
import type { PageKey } from '../pages/page-key';

/** Lets a page pass: it may be claimed once. In the transaction that locked it. */
export async function admitPage(executor: Executor, { appId, messageId, pageId }: PageKey): Promise<void> {
  await rows(
    executor,
    `UPDATE pages SET admitted_fence = fence, turn_at = NULL, turn_is_counted = false
     WHERE app_id = $1 AND message_id = $2 AND id = $3`,
    [appId, messageId, pageId],
  );
}

/** Sends a page back until its turn. In the transaction that locked it. */
export async function postponeTurn(
  executor: Executor,
  { appId, messageId, pageId }: PageKey,
  turn: { at: Date; isCounted: boolean; wakeAt: Date },
): Promise<void> {
  await rows(
    executor,
    `UPDATE pages SET state = 'waiting', not_before = $4, turn_at = $4, turn_is_counted = $5, wake_at = $6
     WHERE app_id = $1 AND message_id = $2 AND id = $3`,
    [appId, messageId, pageId, turn.at, turn.isCounted, turn.wakeAt],
  );
}
