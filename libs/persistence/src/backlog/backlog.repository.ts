import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, rows } from '../database/executor';
import { readInBackground } from '../database/read-in-background';
import { sql } from '../sql';

/** Kinds of work that can wait for a worker: messages without pages, pages by lane, fallback SMS, webhook events. */
type BacklogWork = 'audience' | 'transactional' | 'campaign' | 'fallback' | 'webhook';

/** Work of one kind that is due and that no worker has claimed. */
export interface Backlog {
  work: BacklogWork;
  /** The push service of pages; empty for other work. */
  vendor: string;
  items: number;
  /** Since when the oldest work has been due. */
  oldestSince: Date;
}

/** How many webhooks are called with success, and without. */
interface CalledWebhooks {
  working: number;
  failing: number;
}

/** The time limit of a measurement. A monitor asks for it, and sends are more important. */
const LIMIT_MS = 2_000;

/** Counts the due work of all applications in PostgreSQL. The queues cannot tell it if Redis lost their jobs. */
@Injectable()
export class BacklogRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Measures the work that is due at `at` and waits. Work that a held route, a rate or quiet hours put off is not due,
   * and neither are the events of a webhook that is held. The statement reads the partial indexes of open work.
   *
   * @returns an entry for each kind of work that is due; null if the measurement would take longer than 2 s
   */
  async measure(at: Date): Promise<Backlog[] | null> {
    return readInBackground(this.database, LIMIT_MS, (executor) =>
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

  /**
   * Counts the webhooks of all applications that are switched on and were called: those whose last call failed, and the others.
   *
   * @returns null if that would take longer than 2 s
   */
  async countWebhooks(): Promise<CalledWebhooks | null> {
    return readInBackground(this.database, LIMIT_MS, async (executor) => {
      const [counted] = await rows<CalledWebhooks>(
        executor,
        sql`SELECT count(*) FILTER (WHERE failing_since IS NULL)::int AS working,
              count(*) FILTER (WHERE failing_since IS NOT NULL)::int AS failing
            FROM webhooks WHERE is_enabled AND (failing_since IS NOT NULL OR last_success_at IS NOT NULL)`,
      );
      return counted ?? null;
    });
  }
}
