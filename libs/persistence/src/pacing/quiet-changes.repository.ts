import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { PageKey } from '../partitions/message-key';
import { placedPages, freeAmong } from '../pages/claim-page.statement';
import { wakesAt } from '../pages/page-times';
import { byDay, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { parameter, sql, type Sql } from '../sql';
import { QUIET_CHANGES } from '../due-work/due-rows';

/** An application whose quiet hours were changed, and when. */
export interface QuietChange {
  appId: string;
  changedAt: Date;
}

/** What waits for the end of an application's quiet hours, and began to wait by a moment. */
interface QuietWait {
  appId: string;
  since: Date;
}

/** How many rows one statement releases, and the time. */
interface QuietRelease {
  at: Date;
  limit: number;
}

/** How many pages waited, and how many of them were released: the others are locked. */
interface ReleasedPages {
  found: number;
  released: number;
}

/**
 * The changes of quiet hours, and what waits for the end of the former ones: pages, and fallback SMS. What is released
 * is due at once, and is checked by the new quiet hours before it is sent.
 */
@Injectable()
export class QuietChangesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Finds the changes after which something may still wait for the end of the former quiet hours. */
  async find(): Promise<QuietChange[]> {
    return preparedRows<QuietChange>(
      this.database,
      sql`SELECT app_id AS "appId", quiet_hours_changed_at AS "changedAt" ${QUIET_CHANGES}`,
    );
  }

  /** Forgets a change: nothing waits for the end of the former quiet hours. A later change stays. */
  async forget({ appId, changedAt }: QuietChange): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE applications SET quiet_hours_changed_at = NULL
          WHERE app_id = ${appId} AND quiet_hours_changed_at = ${changedAt}`,
    );
  }

  /**
   * Releases up to `limit` pages. A page whose message begins at a time of day that has not come where its devices are
   * waits for that time. Pages that are locked at the moment are left out, and stay as they are.
   *
   * @returns how many pages were found, and how many of them were released
   */
  async releasePages({ appId, since }: QuietWait, { at, limit }: QuietRelease): Promise<ReleasedPages> {
    const found = await rows<PageKey>(
      this.database,
      sql`SELECT app_id AS "appId", message_id AS "messageId", id AS "pageId" FROM pages
          WHERE app_id = ${appId} AND ${waitsForQuiet(sql`pages`, at)} AND created_at <= ${since} LIMIT ${limit}`,
    );
    let released = 0;
    for (const [day, pages] of byDay(found)) {
      released += (await rowsOfDay(this.database, releasePagesStatement(day, pages, at))).length;
    }
    return { found: found.length, released };
  }

  /**
   * Releases up to `limit` SMS that were due in quiet hours. Those that are locked at the moment are left out.
   *
   * @returns the number of released SMS
   */
  async releaseFallbacks({ appId, since }: QuietWait, { at, limit }: QuietRelease): Promise<number> {
    const [app, now] = [parameter(appId), parameter(at, 'timestamptz')];
    const released = await rows(
      this.database,
      sql`WITH free AS MATERIALIZED (
            SELECT message_id, user_id FROM fallbacks
            WHERE app_id = ${app} AND state = 'waiting' AND wake_at > ${now} AND error_code = 'quiet_hours' AND updated_at <= ${since}
            LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
          )
          UPDATE fallbacks f SET wake_at = ${now}, error_code = NULL, reason = NULL, updated_at = ${now}
          FROM free WHERE f.app_id = ${app} AND f.message_id = free.message_id AND f.user_id = free.user_id
          RETURNING 1`,
    );
    return released.length;
  }
}

/** A condition: a page waits for the end of quiet hours that is later than `at`. */
function waitsForQuiet(page: Sql, at: Date): Sql {
  return sql`${page}.state = 'waiting' AND ${page}.waits_for = 'quiet_hours' AND ${page}.not_before > ${at}`;
}

/**
 * The time that is left until the end of the former quiet hours is no longer added to the time since a page's first attempt
 * (`PacingRepository.putOffQuiet` added it).
 */
function releasePagesStatement(day: LedgerDay, pages: readonly PageKey[], at: Date): Sql {
  const now = parameter(at, 'timestamptz');
  const asked = placedPages(pages.map((page, place) => ({ ...page, place })));
  const begins = sql`CASE WHEN p.starts_at > ${now} THEN p.starts_at END`;
  return sql`
  WITH free AS MATERIALIZED (${freeAmong(asked, day)})
  UPDATE ${day.pages} p
  SET not_before = ${begins}, waits_for = CASE WHEN p.starts_at > ${now} THEN 'local_time' END,
    first_attempt_at = p.first_attempt_at - (p.not_before - ${now}),
    wake_at = coalesce(${wakesAt({ vendor: sql`p.vendor`, time: begins })}, ${now})
  FROM free
  WHERE p.app_id = free.app_id AND p.message_id = free.message_id AND p.id = free.id
    AND ${waitsForQuiet(sql`p`, at)}
  RETURNING 1`;
}
