import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, rows } from '../database/executor';
import { readQuietly } from '../database/read-quietly';
import { sql } from '../sql';

/** What can wait for a worker: messages for their pages, pages by their lane, fallback SMS, webhook events. */
export type BacklogWork = 'audience' | 'transactional' | 'campaign' | 'fallback' | 'webhook';

/** Work of one kind that is due and that no worker holds. */
export interface Backlog {
  work: BacklogWork;
  /** The push service of pages; empty for other work. */
  vendor: string;
  items: number;
  /** Since when the oldest has been due. */
  oldestSince: Date;
}

/** A look at the backlog ends after this time: whoever asks is a monitor, and sends come first. */
const LIMIT_MS = 2_000;

/** What is due in the ledger, of all applications: what queues cannot tell when Redis lost their jobs. */
@Injectable()
export class BacklogRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Measures what is due at `at` and waits. What a held route, a rate or quiet hours put off is not due, nor are the events of
   * a webhook that is held. Reads the partial indexes of open work.
   *
   * @returns nothing for work of which nothing is due; null when it would take longer than 2 s
   */
  async measure(at: Date): Promise<Backlog[] | null> {
    return readQuietly(this.database, LIMIT_MS, (executor) =>
      rows<Backlog>(
        executor,
        sql`SELECT lane AS work, vendor, count(*)::int AS items, min(greatest(created_at, not_before)) AS "oldestSince"
            FROM pages
            WHERE wake_at IS NOT NULL AND state = 'waiting' AND vendor <> 'connection'
              AND (not_before IS NULL OR not_before <= ${at})
            GROUP BY lane, vendor
          UNION ALL
            SELECT 'audience', '', count(*)::int, min(greatest(accepted_at, send_at))
            FROM messages
            WHERE wake_at IS NOT NULL AND resolved_at IS NULL AND status = 'accepted' AND (send_at IS NULL OR send_at <= ${at})
            HAVING count(*) > 0
          UNION ALL
            SELECT 'fallback', '', count(*)::int, min(due_at)
            FROM fallbacks
            WHERE wake_at IS NOT NULL AND state = 'waiting' AND due_at <= ${at}
            HAVING count(*) > 0
          UNION ALL
            SELECT 'webhook', '', count(*)::int, min(greatest(e.created_at, w.held_until))
            FROM webhook_events e JOIN webhooks w USING (app_id, webhook_id)
            WHERE e.wake_at IS NOT NULL AND e.state = 'waiting' AND e.tries = 0
              AND w.is_enabled AND (w.held_until IS NULL OR w.held_until <= ${at})
            HAVING count(*) > 0`,
      ),
    );
  }
}
