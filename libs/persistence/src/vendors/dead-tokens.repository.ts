import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, DAY_MS, type TokenAnswers, type TokenWatch } from '@postrider/domain';
import { deleteOldRows } from '../database/delete-old-rows';
import { DATABASE, type Database, type Executor, inTransaction, rows } from '../database/executor';
import type { DeadToken } from '../devices/installation';
import { parameter, sql } from '../sql';
import { UNLESS_DELETED } from '../webhooks/event-inserts';
import type { VendorKey } from './routes.repository';
import { switchOffTokensStatement } from './switch-off-tokens.statement';
import { dueDeadTokens } from '../due-work/due-rows';

/** The result for tokens that were called dead: how many were processed, and how many of them were switched off. */
export interface DeadTokensEnd {
  taken: number;
  switchedOff: number;
}

/** The shares of dead answers with which a quarantine begins. */
interface SuspiciousAnswers {
  /** The share of dead answers among those that raised the suspicion. */
  share: number;
  normalShare: number;
}

/** What all workers together know about a vendor's answers about an application's tokens. */
export interface KnownTokenAnswers {
  watch: TokenWatch;
  isQuarantined: boolean;
  trustedUntil: Date | null;
  /** The believed dead answers of the days before the last one, without silent tokens: what is normal. */
  before: TokenAnswers;
  /** The answers of the last days, without silent tokens. */
  known: number;
  /** All answers of the last day. */
  day: TokenAnswers;
}

/** Answers about tokens, to be added to the stored counts. */
export interface CountedTokenAnswers extends TokenAnswers {
  silentAnswers: number;
  silentDead: number;
}

/** Days of answers from which the normal share is computed. */
const REMEMBERED_DAYS = 8;

const IS_KEPT = sql`t.quarantined_since IS NOT NULL OR q.due_at IS NULL`;

/**
 * Vendor tokens that a vendor called dead, and the quarantine that keeps them on while suspiciously many are called
 * dead.
 */
@Injectable()
export class DeadTokensRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Notes tokens that a vendor called dead. Each is switched off at `dueAt` (`switchOffDue`), unless the quarantine of
   * its application at this vendor is in force by then or the vendor accepts something for the token. A token that is
   * already noted keeps its time.
   *
   * @param tokens one for each device
   * @returns the devices whose token was not noted before
   */
  async note(
    executor: Executor,
    { appId, vendor }: VendorKey,
    tokens: readonly DeadToken[],
    now: Date,
    dueAt: Date,
  ): Promise<DeviceId[]> {
    const noted = await rows<{ id: DeviceId }>(
      executor,
      sql`
        INSERT INTO quarantined_tokens AS q
          (app_id, vendor, device_id, token_hash, registered_at, dead_since, is_silent, quarantined_at, due_at)
        SELECT a.app_id, ${vendor}, dead.id, sha256(convert_to(dead.token, 'UTF8')), dead.registered_at, dead.dead_since,
          dead.is_silent, ${now}, ${dueAt}
        FROM unnest(
          ${tokens.map(({ deviceId }) => deviceId)}::bigint[],
          ${tokens.map(({ token }) => token)}::text[],
          ${tokens.map(({ registeredAt }) => registeredAt)}::timestamptz[],
          ${tokens.map(({ deadSince }) => deadSince)}::timestamptz[],
          ${tokens.map(({ isSilent }) => isSilent ?? false)}::boolean[]
        )
          AS dead (id, token, registered_at, dead_since, is_silent)
        JOIN applications a ON a.app_id = ${appId}
        ON CONFLICT (app_id, vendor, device_id) DO UPDATE
        SET token_hash = excluded.token_hash, registered_at = excluded.registered_at, dead_since = excluded.dead_since,
          is_silent = excluded.is_silent, quarantined_at = excluded.quarantined_at, due_at = excluded.due_at
        WHERE (q.token_hash, q.registered_at) IS DISTINCT FROM (excluded.token_hash, excluded.registered_at)
        RETURNING device_id AS id`,
    );
    return noted.map(({ id }) => id);
  }

  /**
   * Deletes the notes of tokens for which the vendor has accepted something since. @returns the number of deleted notes
   */
  async takeBack(executor: Executor, { appId, vendor }: VendorKey, deviceIds: readonly DeviceId[]): Promise<number> {
    const alive = await rows(
      executor,
      sql`DELETE FROM quarantined_tokens WHERE app_id = ${appId} AND vendor = ${vendor}
            AND device_id = ANY (${deviceIds}::bigint[]) RETURNING 1`,
    );
    return alive.length;
  }

  /**
   * Begins the quarantine of an application at a vendor: no noted token, present or future, is switched off until the
   * operator decides. Webhooks that ask for it get an event.
   *
   * @returns the number of tokens in quarantine; null if it had begun already
   */
  async beginQuarantine(
    executor: Executor,
    { appId, vendor }: VendorKey,
    { share, normalShare }: SuspiciousAnswers,
    now: Date,
  ): Promise<number | null> {
    const event = { vendor, share, normalShare, since: now.toISOString() };
    const app = parameter(appId);
    const vendorName = parameter(vendor);
    const moment = parameter(now);
    const quarantinedShare = parameter(share);
    const quarantinedNormalShare = parameter(normalShare);
    const [begun] = await rows<{ count: number }>(
      executor,
      sql`
        WITH begun AS (
          INSERT INTO vendor_troubles AS t (app_id, vendor, quarantined_since, quarantined_share, quarantined_normal_share)
          SELECT app_id, ${vendorName}, ${moment}, ${quarantinedShare}, ${quarantinedNormalShare} FROM applications WHERE app_id = ${app}
          ON CONFLICT (app_id, vendor) DO UPDATE
          SET quarantined_since = ${moment}, quarantined_share = ${quarantinedShare}, quarantined_normal_share = ${quarantinedNormalShare}
          WHERE t.quarantined_since IS NULL
          RETURNING app_id
        ), counted AS (
          SELECT begun.app_id, (SELECT count(*)::int FROM quarantined_tokens WHERE app_id = ${app}
            AND vendor = ${vendorName}) AS count
          FROM begun
        ), told AS (
          INSERT INTO webhook_events (app_id, webhook_id, type, data)
          SELECT w.app_id, w.webhook_id, 'tokens.quarantined',
            (${JSON.stringify(event)}::jsonb || jsonb_build_object('count', counted.count))::json
          FROM counted
          JOIN webhooks w ON w.app_id = counted.app_id AND w.is_enabled AND 'tokens.quarantined' = ANY (w.events)
          ${UNLESS_DELETED}
        )
        SELECT count FROM counted`,
    );
    return begun?.count ?? null;
  }

  /**
   * Ends a quarantine: the dead answers so far are decided about, and raise no suspicion any more. The vendor is
   * trusted until `trustedUntil`, if given. `applyQuarantine` or `releaseQuarantine` handles the tokens.
   *
   * @returns true if there was a quarantine
   */
  async endQuarantine(executor: Executor, { appId, vendor }: VendorKey, trustedUntil: Date | null): Promise<boolean> {
    const app = parameter(appId);
    const vendorName = parameter(vendor);
    const ended = await rows(
      executor,
      sql`WITH ended AS (
            UPDATE vendor_troubles
            SET quarantined_since = NULL, quarantined_share = NULL, quarantined_normal_share = NULL,
              watch_excess = 0, watch_drift = 0, watch_answers = 0, watch_dead = 0,
                trusted_until = coalesce(${trustedUntil}, trusted_until)
            WHERE app_id = ${app} AND vendor = ${vendorName} AND (quarantined_since IS NOT NULL OR watch_drift > 0
              OR EXISTS (SELECT 1 FROM quarantined_tokens WHERE app_id = ${app} AND vendor = ${vendorName}))
            RETURNING app_id
          ), decided AS (
            UPDATE token_answers t SET dead = 0, silent_dead = 0
            FROM ended WHERE t.app_id = ended.app_id AND t.vendor = ${vendorName} AND (t.dead > 0 OR t.silent_dead > 0)
          )
          SELECT 1 FROM ended`,
    );
    return ended.length > 0;
  }

  /**
   * Takes up to `limit` tokens out of quarantine and switches them off, each only if the device still has it from that
   * registration, and has not registered it after the vendor called it dead.
   *
   * @returns how many were taken out, and how many of them were switched off
   */
  async applyQuarantine(key: VendorKey, now: Date, limit: number): Promise<DeadTokensEnd> {
    return inTransaction(this.database, async (executor) => {
      await this.#awaitCounting(executor, key);
      const [end] = await rows<DeadTokensEnd>(executor, switchOffTokensStatement(key, now, limit, sql`true`));
      return end ?? { taken: 0, switchedOff: 0 };
    });
  }

  /**
   * Switches off up to `limit` due tokens under the same conditions. The caller has checked in the same transaction
   * that no quarantine is in force (`lockWatch`).
   */
  async switchOffDue(executor: Executor, key: VendorKey, now: Date, limit: number): Promise<DeadTokensEnd> {
    const isDue = sql`due_at <= ${now}`;
    const [end] = await rows<DeadTokensEnd>(executor, switchOffTokensStatement(key, now, limit, isDue));
    return end ?? { taken: 0, switchedOff: 0 };
  }

  /** Finds applications and vendors with tokens that are due to be switched off and without a quarantine. */
  async findDue(now: Date, limit: number): Promise<VendorKey[]> {
    return rows<VendorKey>(
      this.database,
      sql`SELECT t.app_id AS "appId", t.vendor ${dueDeadTokens(now)} LIMIT ${limit}`,
    );
  }

  /**
   * Takes up to `limit` tokens out of quarantine without switching them off, in a transaction. @returns the number of
   * tokens
   */
  async releaseQuarantine(executor: Executor, { appId, vendor }: VendorKey, limit: number): Promise<number> {
    const app = parameter(appId);
    const vendorName = parameter(vendor);
    await this.#awaitCounting(executor, { appId, vendor });
    const released = await rows(
      executor,
      sql`DELETE FROM quarantined_tokens WHERE app_id = ${app} AND vendor = ${vendorName} AND device_id IN (
            SELECT device_id FROM quarantined_tokens WHERE app_id = ${app} AND vendor = ${vendorName} LIMIT ${limit}
          )
          RETURNING 1`,
    );
    return released.length;
  }

  /**
   * Waits for workers that count answers of the vendor, and keeps them from it until the transaction ends, as `lockWatch`
   * does: they write the same notes and counts, in another order.
   */
  async #awaitCounting(executor: Executor, { appId, vendor }: VendorKey): Promise<void> {
    await rows(
      executor,
      sql`SELECT FROM vendor_troubles WHERE app_id = ${appId} AND vendor = ${vendor} FOR NO KEY UPDATE`,
    );
  }

  /**
   * Deletes quarantine entries from before `before` that nobody decided about. @returns the number of deleted entries
   */
  deleteOldQuarantines(before: Date, limit: number): Promise<number> {
    const table = { table: sql`quarantined_tokens`, key: sql`app_id, vendor, device_id`, at: sql`quarantined_at` };
    return deleteOldRows(this.database, table, before, limit);
  }

  /**
   * Reads what is known about a vendor's answers, and locks it until the transaction ends: workers count answers one
   * after the other, and none switches a token off while another begins a quarantine.
   *
   * @returns null if the application no longer exists
   */
  async lockWatch(executor: Executor, { appId, vendor }: VendorKey, now: Date): Promise<KnownTokenAnswers | null> {
    const [watch] = await rows<TokenWatch & Pick<KnownTokenAnswers, 'isQuarantined' | 'trustedUntil'>>(
      executor,
      sql`
        INSERT INTO vendor_troubles AS t (app_id, vendor) SELECT app_id, ${vendor} FROM applications WHERE app_id = ${appId}
        ON CONFLICT (app_id, vendor) DO UPDATE SET vendor = excluded.vendor
        RETURNING watch_excess::float8 AS excess, watch_drift::float8 AS drift, watch_answers AS answers, watch_dead AS dead,
          quarantined_since IS NOT NULL AS "isQuarantined", trusted_until AS "trustedUntil"`,
    );
    if (watch === undefined) return null;
    const since = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
    const lastDay = parameter(since(1));
    const [sums] = await rows<Record<'answers' | 'believed' | 'known' | 'dayAnswers' | 'dayDead', number>>(
      executor,
      sql`
        SELECT
          coalesce(sum(answers) FILTER (WHERE hour < ${lastDay}), 0)::float8 AS answers,
          coalesce(sum(believed) FILTER (WHERE hour < ${lastDay}), 0)::float8 AS believed,
          coalesce(sum(answers), 0)::float8 AS known,
          coalesce(sum(answers + silent_answers) FILTER (WHERE hour >= ${lastDay}), 0)::float8 AS "dayAnswers",
          coalesce(sum(dead + silent_dead) FILTER (WHERE hour >= ${lastDay}), 0)::float8 AS "dayDead"
        FROM token_answers WHERE app_id = ${appId} AND vendor = ${vendor} AND hour >= ${since(REMEMBERED_DAYS)}`,
    );
    const { isQuarantined, trustedUntil, ...counted } = watch;
    const { answers = 0, believed = 0, known = 0, dayAnswers = 0, dayDead = 0 } = sums ?? {};
    return {
      watch: counted,
      isQuarantined,
      trustedUntil,
      before: { answers, dead: believed },
      known,
      day: { answers: dayAnswers, dead: dayDead },
    };
  }

  /** Stores the new state of the watch, and counts answers. In the transaction that has locked it. */
  async saveWatch(
    executor: Executor,
    { appId, vendor }: VendorKey,
    watch: TokenWatch,
    counted: CountedTokenAnswers,
    now: Date,
  ): Promise<void> {
    const vendorName = parameter(vendor);
    await rows(
      executor,
      sql`
        WITH watch AS (
          UPDATE vendor_troubles SET watch_excess = ${watch.excess}, watch_answers = ${watch.answers},
            watch_dead = ${watch.dead}, watch_drift = ${watch.drift}
          WHERE app_id = ${appId} AND vendor = ${vendorName}
          RETURNING app_id
        )
        INSERT INTO token_answers AS t (app_id, vendor, hour, answers, dead, silent_answers, silent_dead)
        SELECT app_id, ${vendorName}, date_trunc('hour', ${now}::timestamptz, 'UTC'), ${counted.answers}, ${counted.dead},
          ${counted.silentAnswers}, ${counted.silentDead} FROM watch
        ON CONFLICT (app_id, vendor, hour) DO UPDATE SET answers = t.answers + excluded.answers, dead = t.dead + excluded.dead,
          silent_answers = t.silent_answers + excluded.silent_answers, silent_dead = t.silent_dead + excluded.silent_dead`,
    );
  }

  /** Deletes counts of answers that are no longer used. @returns the number of deleted counts */
  deleteOldAnswers(before: Date, limit: number): Promise<number> {
    const table = { table: sql`token_answers`, key: sql`app_id, vendor, hour`, at: sql`hour` };
    return deleteOldRows(this.database, table, before, limit);
  }

  /** Counts the tokens of all applications in quarantine, by vendor, and those that will be switched off soon. */
  async countQuarantined(): Promise<{ vendor: string; quarantined: number; pending: number }[]> {
    return rows<{ vendor: string; quarantined: number; pending: number }>(
      this.database,
      sql`SELECT q.vendor, count(*) FILTER (WHERE ${IS_KEPT})::int AS quarantined,
            count(*) FILTER (WHERE NOT (${IS_KEPT}))::int AS pending
          FROM quarantined_tokens q LEFT JOIN vendor_troubles t ON t.app_id = q.app_id AND t.vendor = q.vendor
          GROUP BY q.vendor`,
    );
  }
}
