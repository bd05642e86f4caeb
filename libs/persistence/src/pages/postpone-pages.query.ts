import { type Executor, rows } from '../database/executor';
import type { PageKey } from './claim-page.query';

/**
 * Puts off looking at those of `pages` that are still due until `wakeAt`, or shortly after its time where that is still to
 * come. One whose lease is over waits again from here on,
 * so that it can be claimed at any time; until somebody does, it is still its former owner's, who may come back.
 */
export async function postponePages(
  executor: Executor,
  pages: readonly PageKey[],
  { now, wakeAt }: { now: Date; wakeAt: Date },
): Promise<void> {
  await rows(
    executor,
    `UPDATE pages p
     SET state = 'waiting', wake_at = CASE WHEN p.not_before > $4 THEN p.not_before + interval '1 second' ELSE $5 END
     FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS due (app_id, message_id, id)
     WHERE p.app_id = due.app_id AND p.message_id = due.message_id AND p.id = due.id
       AND p.wake_at <= $4 AND p.state <> 'finished'`,
    [
      pages.map(({ appId }) => appId),
      pages.map(({ messageId }) => messageId),
      pages.map(({ pageId }) => pageId),
      now,
      wakeAt,
    ],
  );
}
