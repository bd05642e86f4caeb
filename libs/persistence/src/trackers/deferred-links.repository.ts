import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { DATABASE, type Database, rows } from '../database/executor';
import { parameter, type Sql, sql } from '../sql';

/** What a new installation knows about the click that led to it. */
export interface DeferredClaim {
  /** From the token that it got. Null if it got none. */
  tokenKey: Buffer | null;
  /** Null unless the application wants matching by address, and the address is known. */
  addressKey: Buffer | null;
  platform: string;
  osMajor: number | null;
  /** Digest of the browser's user agent. Null if only the app's is known. */
  agentKey: Buffer | null;
}

/** Deep links that were clicked before the app was installed: they wait for the installation that the click led to. */
@Injectable()
export class DeferredLinksRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Claims the deep link that waits for a new installation: the one that its token names, or else, if the application
   * wants that, the latest one that was clicked from its address on such a device. A link is claimed once: one of two
   * installations at the same moment gets it.
   *
   * @returns null if none waits
   */
  async claim(appId: string, deviceId: DeviceId, claim: DeferredClaim, now: Date): Promise<string | null> {
    const app = parameter(appId);
    const osMajor = parameter(claim.osMajor);
    const agentKey = parameter(claim.agentKey);
    const moment = parameter(now);
    const taken = await rows<{ deepLink: string }>(
      this.database,
      sql`
        WITH found AS (
          SELECT token_key, 'token' AS matched_by FROM (
            SELECT token_key FROM deferred_links
            WHERE app_id = ${app} AND token_key = ${claim.tokenKey}::bytea
              AND expires_at > ${moment}::timestamptz FOR UPDATE SKIP LOCKED
          ) named
          UNION ALL
          SELECT token_key, 'address' FROM (
            SELECT token_key FROM deferred_links
            WHERE app_id = ${app} AND address_key = ${claim.addressKey}::bytea AND expires_at > ${moment}::timestamptz
              AND platform = ${claim.platform}::text
              AND (os_major IS NULL OR ${osMajor}::integer IS NULL OR os_major = ${osMajor}::integer)
              AND (agent_key IS NULL OR ${agentKey}::bytea IS NULL OR agent_key = ${agentKey}::bytea)
            ORDER BY clicked_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED
          ) nearby
          LIMIT 1
        ), taken AS (
          DELETE FROM deferred_links d USING found WHERE d.app_id = ${app} AND d.token_key = found.token_key
          RETURNING d.tracker_id, d.deep_link, d.platform, d.clicked_at, found.matched_by
        ), handed AS (
          INSERT INTO deferred_handovers (app_id, device_id, tracker_id, deep_link, platform, matched_by, clicked_at, handed_at)
          SELECT ${app}, ${deviceId}::bigint, tracker_id, deep_link, platform, matched_by, clicked_at, ${moment} FROM taken
          ON CONFLICT DO NOTHING
        ), counted AS (
          INSERT INTO tracker_counts AS t (app_id, tracker_id, kind, hour, platform, count)
          SELECT ${app}, tracker_id, 'install', date_trunc('hour', ${moment}::timestamptz, 'UTC'), platform, 1 FROM taken
          ON CONFLICT (app_id, tracker_id, kind, hour, platform) DO UPDATE SET count = t.count + 1
        )
        SELECT deep_link AS "deepLink" FROM taken`,
    );
    return taken[0]?.deepLink ?? null;
  }

  /**
   * Records what an app decided about its deferred link. The first decision counts.
   *
   * @returns true if the installation had got one
   */
  async decide(appId: string, deviceId: DeviceId, opened: boolean, now: Date): Promise<boolean> {
    const app = parameter(appId);
    const device = parameter(deviceId);
    const isOpened = parameter(opened);
    const moment = parameter(now);
    const found = await rows(
      this.database,
      sql`WITH handed AS (
            SELECT 1 FROM deferred_handovers WHERE app_id = ${app} AND device_id = ${device}::bigint
          ), decided AS (
            UPDATE deferred_handovers SET opened = ${isOpened}::boolean, decided_at = ${moment}
            WHERE app_id = ${app} AND device_id = ${device}::bigint AND opened IS NULL RETURNING tracker_id, platform
          ), counted AS (
            INSERT INTO tracker_counts AS t (app_id, tracker_id, kind, hour, platform, count)
            SELECT ${app}, tracker_id, CASE WHEN ${isOpened}::boolean THEN 'opened' ELSE 'declined' END,
              date_trunc('hour', ${moment}::timestamptz, 'UTC'),
              platform, 1 FROM decided
            ON CONFLICT (app_id, tracker_id, kind, hour, platform) DO UPDATE SET count = t.count + 1
          )
          SELECT 1 FROM handed`,
    );
    return found.length > 0;
  }

  /** True if an application wants deferred links matched by network address. */
  async isMatchedByAddress(appId: string): Promise<boolean> {
    const found = await rows<{ matchByAddress: boolean }>(
      this.database,
      sql`SELECT match_by_address AS "matchByAddress" FROM applications WHERE app_id = ${appId}`,
    );
    return found[0]?.matchByAddress ?? false;
  }

  /**
   * Deletes up to `limit` deferred links that nobody claimed in time. Safe to repeat. @returns the number of deleted
   * links
   */
  deleteExpired(before: Date, limit: number): Promise<number> {
    return this.#delete(sql`
      DELETE FROM deferred_links WHERE (app_id, token_key) IN (
        SELECT app_id, token_key FROM deferred_links WHERE expires_at <= ${before} LIMIT ${limit}
      ) RETURNING 1`);
  }

  /**
   * Deletes up to `limit` records of links that installations claimed before `before`. @returns the number of deleted
   * records
   */
  deleteOldClaims(before: Date, limit: number): Promise<number> {
    return this.#delete(sql`
      DELETE FROM deferred_handovers WHERE (app_id, device_id) IN (
        SELECT app_id, device_id FROM deferred_handovers WHERE handed_at < ${before} LIMIT ${limit}
      ) RETURNING 1`);
  }

  async #delete(statement: Sql): Promise<number> {
    return (await rows(this.database, statement)).length;
  }
}
