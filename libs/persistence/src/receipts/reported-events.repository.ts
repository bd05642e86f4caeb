import { parameter, type Sql, sql } from '../sql';
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, canonicalJson, DomainError, type JsonValue } from '@postrider/domain';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { inRetriedTransaction } from '../database/retried-transaction';
import { checkAttributes, type UserOfDevice, UsersRepository } from '../users/users.repository';
import { applyBehaviors, attributesOfEvent, type ReportedBehavior } from './behavior';
import { countConversions, lastOpened } from './conversions.statement';

/** A purchase, or another event with revenue. */
interface Conversion {
  name: string;
  /** By the clock of the device, which may be ahead of ours. With the name it identifies the event. */
  reportedAt: Date;
  amount: number;
  currency: string | null;
}

/** The latest time that a device's clock may report: years with more digits have another format. */
const LAST_TIME = new Date('9999-12-31T23:59:59Z');

/**
 * Records conversions of a device for the message that it opened last before each, within the application's window.
 * Conversions that no opened message precedes are skipped. Conversions with the same name and time are the same one,
 * whichever message it would count for now. A conversion counts no later than now. The caller keeps two reports of one
 * device apart.
 */
function recordConversionsStatement(
  { appId, deviceId }: { appId: string; deviceId: DeviceId },
  conversions: readonly Conversion[],
  now: Date,
): Sql {
  const [app, device, moment] = [parameter(appId), parameter(deviceId, 'bigint'), parameter(now, 'timestamptz')];
  return sql`
  WITH made AS (
    INSERT INTO conversions (app_id, message_id, device_id, at, name, revenue, currency)
    SELECT ${app}, d.message_id, ${device}, e.at, e.name, e.revenue, e.currency
    FROM (
      SELECT name, at, least(at, ${moment}) AS counted_at, revenue, currency
      FROM unnest(
          ${conversions.map(({ name }) => name)}::text[],
          ${conversions.map(({ reportedAt }) => (reportedAt < LAST_TIME ? reportedAt : LAST_TIME))}::timestamptz[],
          ${conversions.map(({ amount }) => amount)}::numeric[],
          ${conversions.map(({ currency }) => currency)}::text[]
        ) AS e (name, at, revenue, currency)
    ) e
    CROSS JOIN LATERAL (${lastOpened(app, sql`${device}`, sql`e.counted_at`)}) d
    WHERE NOT EXISTS (
      SELECT FROM deliveries o JOIN conversions c ON c.app_id = o.app_id AND c.message_id = o.message_id
        AND c.device_id = o.device_id AND c.at = e.at AND c.name = e.name
      WHERE o.app_id = ${app} AND o.device_id = ${device} AND o.opened_at IS NOT NULL
    )
    ON CONFLICT DO NOTHING
    RETURNING message_id, device_id, least(at, ${moment}) AS counted_at, revenue, currency
  )
  ${countConversions(app, sql`made`)}`;
}

/** For how many days after the day of its first report a repeated event is recognised. */
export const DAYS_REMEMBERED = 3;

/** The most events per user and day that are remembered. Beyond this, every report counts. */
const MOST_A_DAY = 10_000;

/** 128 bits: only the device itself could gain from two events with one digest. */
const DIGEST_BYTES = 16;

/** The reporting device, and its user. */
interface ReportingDevice {
  appId: string;
  /** `installations.id` */
  deviceId: DeviceId;
  userId: string;
}

/** A link that a device reported as opened. */
export interface LinkOpen {
  link: string;
  /** By the clock of the device. Null: now. */
  at: Date | null;
}

/** What devices reported about their users: tracked behaviour with its conversions, and opened links. */
@Injectable()
export class ReportedEventsRepository {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly users: UsersRepository,
  ) {}

  /**
   * Records tracked behaviour, all of it or nothing: the attributes of the device's user, and conversions. A repeated
   * report counts once. A conversion with the same name and time counts once for as long as its message is kept.
   *
   * @param isProved true if the report itself shows the user's hash; a device that registered with the hash has proved
   * its user too
   * @throws InvalidRequest if the user would have too many attributes; DomainError FORBIDDEN for a protected attribute
   */
  async recordBehavior(
    device: ReportingDevice,
    behaviors: readonly ReportedBehavior[],
    now: Date,
    isProved = false,
  ): Promise<void> {
    if (behaviors.length === 0) return;
    const { appId, userId } = device;
    await inRetriedTransaction(this.database, async (executor) => {
      const user = await this.users.lockOfDevice(executor, device);
      if (!user) return;
      if (!isProved) checkUnprotected(user, behaviors);
      // The lock on the user's attributes serialises two reports of one event.
      const isNew = await this.#remember(executor, device, user.today, behaviors);
      const counted = behaviors.filter((_, index) => isNew[index]);
      if (counted.length > 0) {
        const changed = checkAttributes(applyBehaviors(user.attributes, counted, { now, latest: now }));
        await this.users.saveAttributes(executor, appId, userId, changed);
      }
      const conversions = behaviors.flatMap(({ name, at, revenue }) =>
        revenue ? [{ name, reportedAt: at ?? now, ...revenue }] : [],
      );
      if (conversions.length > 0) await rows(executor, recordConversionsStatement(device, conversions, now));
    });
  }

  /**
   * Records links that a device of a user reported as opened. The same link at the same time, by the device's clock, is
   * recorded once, and no later than now. A link without a time is recorded each time.
   */
  async recordLinkOpens(device: ReportingDevice, opens: readonly LinkOpen[], now: Date): Promise<void> {
    const { appId, deviceId, userId } = device;
    await inRetriedTransaction(this.database, async (executor) => {
      const user = await this.users.lockOfDevice(executor, device);
      if (!user) return;
      const events = opens.map(({ link, at }) => ({ identity: at && { link, at: at.toISOString() } }));
      const isNew = await this.#remember(executor, device, user.today, events);
      const opened = opens.filter((_, index) => isNew[index]);
      if (opened.length === 0) return;
      await rows(
        executor,
        sql`INSERT INTO link_opens (app_id, device_id, user_id, link, opened_at)
            SELECT ${appId}, ${deviceId}, ${userId}, link, opened_at
            FROM unnest(
              ${opened.map(({ link }) => link)}::text[],
              ${opened.map(({ at }) => (at === null || at > now ? now : at))}::timestamptz[]
            ) AS opened (link, opened_at)
            ON CONFLICT (app_id, device_id, opened_at, md5(link)) DO NOTHING`,
      );
    });
  }

  /** Deletes up to `limit` reports of opened links from before `before`. @returns the number of deleted reports */
  async deleteOldLinkOpens(before: Date, limit: number): Promise<number> {
    const gone = await rows(
      this.database,
      sql`DELETE FROM link_opens WHERE (app_id, id) IN (
            SELECT app_id, id FROM link_opens WHERE created_at < ${before} LIMIT ${limit}
          ) RETURNING 1`,
    );
    return gone.length;
  }

  /**
   * Tells new events from repeated ones, and remembers the new ones. The transaction holds the user
   * (`UsersRepository.lockOfDevice`), so that one of two reports at once is the first.
   *
   * @param today as the lock returned it; the partition of that day exists
   * @param events with `identity`, what distinguishes an event from the device's others; null: it counts each time
   * @returns for each event, true if it counts
   */
  async #remember(
    executor: Executor,
    device: ReportingDevice,
    today: string,
    events: readonly { identity: JsonValue | null }[],
  ): Promise<boolean[]> {
    const digests = events.map(({ identity }) => (identity === null ? null : digestOf(device.deviceId, identity)));
    const firstPlace = new Map<string, number>();
    digests.forEach((digest, place) => {
      if (digest !== null && !firstPlace.has(digest)) firstPlace.set(digest, place);
    });
    if (firstPlace.size === 0) return events.map(() => true);
    const remembered = await this.#insertUnknown(executor, device, today, [...firstPlace.keys()]);
    const counts = new Set(remembered.map((digest) => firstPlace.get(digest)));
    return digests.map((digest, place) => digest === null || counts.has(place));
  }

  /**
   * @returns those of the digests that were unknown: they are remembered now, unless the user's limit for the day is
   * reached
   */
  async #insertUnknown(
    executor: Executor,
    { appId, userId }: ReportingDevice,
    today: string,
    digests: readonly string[],
  ): Promise<string[]> {
    // A transaction that began before midnight may run after one that began later, so the next day is searched as well.
    // The day is a parameter, so that PostgreSQL plans for the partitions of these days only.
    const day = parameter(today, 'date');
    const [app, user, most] = [parameter(appId), parameter(userId), parameter(MOST_A_DAY, 'int')];
    const found = await rows<{ digest: string }>(
      executor,
      sql`
        WITH unknown AS (
          SELECT e.digest FROM (SELECT decode(hex, 'hex') AS digest FROM unnest(${digests}::text[]) AS e (hex)) e
          WHERE NOT EXISTS (
            SELECT FROM reported_events r
            WHERE r.app_id = ${app} AND r.user_id = ${user} AND r.digest = e.digest
              AND r.day BETWEEN ${day} - ${DAYS_REMEMBERED}::int AND ${day} + 1
          )
        ), room AS (
          SELECT count(*) < ${most} AS is_left FROM (
            SELECT FROM reported_events WHERE app_id = ${app} AND user_id = ${user} AND day = ${day} LIMIT ${most}
          ) r
        ), remembered AS (
          INSERT INTO reported_events (app_id, user_id, digest, day)
          SELECT ${app}, ${user}, digest, ${day} FROM unknown WHERE (SELECT is_left FROM room)
          ON CONFLICT DO NOTHING
          RETURNING digest
        )
        SELECT encode(digest, 'hex') AS digest FROM remembered
        UNION ALL SELECT encode(digest, 'hex') FROM unknown WHERE NOT (SELECT is_left FROM room)`,
    );
    return found.map(({ digest }) => digest);
  }
}

function digestOf(deviceId: DeviceId, identity: JsonValue): string {
  const digest = createHash('sha256')
    .update(canonicalJson([deviceId, identity]))
    .digest();
  return digest.toString('hex', 0, DIGEST_BYTES);
}

function checkUnprotected(
  { isProved, protectedAttributes }: UserOfDevice,
  behaviors: readonly ReportedBehavior[],
): void {
  if (isProved) return;
  const refused = behaviors.find((behavior) =>
    attributesOfEvent(behavior).some((attribute) => protectedAttributes.includes(attribute)),
  );
  if (refused) throw new DomainError('FORBIDDEN', `Only a device that proved its user reports ${refused.name}`);
}
