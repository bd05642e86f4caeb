import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { isPacked } from '../packs/packed-deliveries';
import { parameter, sql } from '../sql';
import { firstNamedOwner } from './ownership';

/** A device that has just got another owner. */
interface OwnerChange {
  appId: string;
  deviceId: DeviceId;
  /** The present owner. */
  userId: string;
}

/** A message, and the device and its present owner who would get it. */
export interface Addressee {
  appId: string;
  messageId: string;
  deviceId: DeviceId;
  userId: string;
}

/** How long a change of owner is kept here. Pages that were claimed before it end sooner, or their worker is gone. */
const TOLD_FOR = sql`interval '1 minute'`;

/** A comment at the beginning of the claim statement. Running claims are found by it in pg_stat_activity. */
export const CLAIM_MARK = sql`/* claims a page */`;

/**
 * Changes of owner: since when the new owner has the device, and whether a worker may still send to it for the former
 * owner.
 */
@Injectable()
export class OwnerChangesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Sets the start of the ownership to `at`, which must be later than the commit of the change, so that everything that
   * was resolved before the commit is older than the new owner. Call it after that commit.
   *
   * @returns a time of PostgreSQL's clock: claims that begin after it no longer see the former owner
   */
  async confirm(device: { appId: string; deviceId: DeviceId; userId: string }, at: Date): Promise<string> {
    const appId = parameter(device.appId);
    const now = parameter(at);
    const [confirmed] = await rows<{ at: string }>(
      this.database,
      sql`WITH owner AS (
            UPDATE installations SET user_since = ${now}
            WHERE app_id = ${appId} AND id = ${device.deviceId}::bigint AND user_id = ${device.userId}
              AND user_since < ${now} RETURNING id
          ), former AS (
            UPDATE former_owners f SET until = ${now}
            WHERE f.app_id = ${appId} AND f.id = (
              SELECT last.id FROM former_owners last JOIN owner ON owner.id = last.device_id
              WHERE last.app_id = ${appId} ORDER BY last.until DESC, last.id DESC LIMIT 1)
          ), old AS (
            DELETE FROM hand_overs WHERE at < now() - ${TOLD_FOR}
          )
          SELECT clock_timestamp()::text AS at`,
    );
    return confirmed?.at ?? '';
  }

  /** PostgreSQL's clock, as text. Claims that begin later do not see a device that was removed before. */
  async readTime(): Promise<string> {
    const [read] = await rows<{ at: string }>(this.database, sql`SELECT clock_timestamp()::text AS at`);
    return read?.at ?? '';
  }

  /**
   * True if a message for the former owner may still be sent to the device: a claim that began before `since` is
   * running, or a worker has a page with the device and no outcome for it.
   *
   * Pages are read in a statement of their own, after the claims. A single statement would see pages as they were at
   * its beginning, but claims as they are now, and would miss a claim that ends in between.
   */
  async isInHand(device: { appId: string; deviceId: DeviceId }, since: string, now: Date): Promise<boolean> {
    return (await this.isBeingClaimed(since)) || this.#isOnPageInHand(device, now);
  }

  /**
   * True if a claim that began before `since` is running. It may have read devices and owners as they were then, and its pages
   * are not seen in hand before it ends. It reads them after its transaction has begun, so the start of its query may be later
   * than the state that it read.
   */
  async isBeingClaimed(since: string): Promise<boolean> {
    const found = await preparedRows(
      this.database,
      sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND xact_start <= ${since}::timestamptz
            AND query LIKE '${CLAIM_MARK}%'
          LIMIT 1`,
    );
    return found.length > 0;
  }

  /**
   * The caller asks repeatedly while it is true. So the statement is planned once, and finds the page by the first and
   * the last device on it.
   */
  async #isOnPageInHand(device: { appId: string; deviceId: DeviceId }, now: Date): Promise<boolean> {
    const appId = parameter(device.appId);
    const deviceId = parameter(device.deviceId, 'bigint');
    const found = await preparedRows(
      this.database,
      sql`SELECT FROM pages p
          WHERE p.app_id = ${appId} AND p.device_ids[1] <= ${deviceId}
            AND p.device_ids[cardinality(p.device_ids)] >= ${deviceId}
            AND p.state = 'running' AND p.edge_id IS NULL AND p.vendor <> 'connection' AND p.wake_at > ${now}
            AND p.device_ids @> ARRAY[${deviceId}] AND coalesce((
              SELECT d.rank FROM deliveries d
              WHERE d.app_id = ${appId} AND d.message_id = p.message_id AND d.device_id = ${deviceId}
            ), 0) = 0
            AND NOT ${isPacked({ app: sql`${appId}`, message: sql`p.message_id`, device: sql`${deviceId}` })}
          LIMIT 1`,
    );
    return found.length > 0;
  }

  /** Devices that got another owner within the last minute. */
  async listRecent(): Promise<OwnerChange[]> {
    return rows<OwnerChange>(
      this.database,
      sql`SELECT app_id AS "appId", device_id AS "deviceId", user_id AS "userId" FROM hand_overs
          WHERE at > now() - ${TOLD_FOR} ORDER BY id`,
    );
  }

  /**
   * Finds the places in `asked` of messages that name users, and are not meant for this user of the device: they name
   * others only, or one of the others had the device when they were to be sent. The users of a message are read once,
   * and looked up in a hash table (`NOT IN`): each of a thousand devices may be asked about a message to a thousand users.
   */
  async findNotMeant(asked: readonly Addressee[]): Promise<Set<number>> {
    const appIds = asked.map(({ appId }) => appId);
    const messageIds = asked.map(({ messageId }) => messageId);
    const deviceIds = asked.map(({ deviceId }) => deviceId);
    const userIds = asked.map(({ userId }) => userId);
    const formerOwner = firstNamedOwner(
      { appId: sql`a.app_id`, deviceId: sql`a.device_id` },
      { users: sql`n.user_ids`, since: sql`n.starts_at` },
    );
    const found = await rows<{ place: number }>(
      this.database,
      sql`WITH asked AS MATERIALIZED (
            SELECT * FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${deviceIds}::bigint[], ${userIds}::text[])
              WITH ORDINALITY AS a (app_id, message_id, device_id, user_id, place)
          ), naming AS MATERIALIZED (
            SELECT k.app_id, k.message_id, m.user_ids, m.starts_at
            FROM (SELECT DISTINCT app_id, message_id FROM asked) k
            CROSS JOIN LATERAL (
              SELECT user_ids, coalesce(send_at, accepted_at) AS starts_at FROM messages
              WHERE app_id = k.app_id AND id = k.message_id LIMIT 1
            ) m
            WHERE m.user_ids IS NOT NULL
          )
          SELECT a.place::integer - 1 AS place FROM asked a JOIN naming n USING (app_id, message_id)
          WHERE (a.app_id, a.message_id, a.user_id) NOT IN (SELECT app_id, message_id, unnest(user_ids) FROM naming)
            OR coalesce((${formerOwner}), a.user_id) <> a.user_id`,
    );
    return new Set(found.map(({ place }) => place));
  }
}
