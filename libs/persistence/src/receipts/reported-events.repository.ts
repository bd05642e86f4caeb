import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { canonicalJson, DomainError, type JsonValue } from '@postrider/domain';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { inRetriedTransaction } from '../database/retried-transaction';
import { parameter, sql } from '../sql';
import { checkAttributes } from '../users/check-attributes';
import { type UserOfDevice, UsersRepository } from '../users/users.repository';
import { applyBehaviors, attributesOfEvent, type Behavior } from './behavior';
import { recordConversionsStatement } from './record-conversions.statement';

/** An event is known again for this many days after the day of its first report. */
export const DAYS_REMEMBERED = 3;

/** What one user's devices report in a day beyond this many events is not remembered: all of it counts. */
const MOST_A_DAY = 10_000;

/** 128 bits: nobody but the device itself can gain from two events of one digest. */
const DIGEST_BYTES = 16;

/** The device that reports, and the user whom it belongs to. */
interface ReportingDevice {
  appId: string;
  /** `installations.id` */
  deviceId: string;
  userId: string;
}

/** A link that a device reported as opened. */
export interface LinkOpen {
  link: string;
  /** By the device's clock; null: now. */
  at: Date | null;
}

/** What devices reported that their users did: tracked behaviour with its conversions, and links that were opened. */
@Injectable()
export class ReportedEventsRepository {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly users: UsersRepository,
  ) {}

  /**
   * Records tracked behaviour: the attributes of the device's user, and conversions. All of it or nothing. A report that
   * comes again counts once; a conversion with the same name and time does so for as long as its message is kept.
   *
   * @param isProved whether the report itself shows the user's hash; a device that registered with it has proved its user too
   * @throws InvalidRequest when the user would have too many attributes; DomainError FORBIDDEN for a protected one
   */
  async recordBehavior(
    device: ReportingDevice,
    behaviors: readonly Behavior[],
    now: Date,
    isProved = false,
  ): Promise<void> {
    if (behaviors.length === 0) return;
    const { appId, userId } = device;
    await inRetriedTransaction(this.database, async (executor) => {
      const user = await this.users.lockOfDevice(executor, device);
      if (!user) return;
      if (!isProved) checkUnprotected(user, behaviors);
      // The lock on the user's attributes keeps two reports of one event apart.
      const isNew = await this.#remember(executor, device, user.today, behaviors);
      const counted = behaviors.filter((_, index) => isNew[index]);
      if (counted.length > 0) {
        const changed = checkAttributes(applyBehaviors(user.attributes, counted, now));
        await this.users.saveAttributes(executor, appId, userId, changed);
      }
      const conversions = behaviors.flatMap(({ name, at, revenue }) =>
        revenue ? [{ name, reportedAt: at ?? now, ...revenue }] : [],
      );
      if (conversions.length > 0) await rows(executor, recordConversionsStatement(device, conversions, now));
    });
  }

  /**
   * Records links that a device of a user reported as opened. The same link at the same moment, by the device's clock, is
   * recorded once, and no later than now; one without a moment each time.
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

  /**
   * Tells events that are reported for the first time from those that come again, and remembers the former. The transaction
   * holds the user (`UsersRepository.lockOfDevice`), so that of two reports at once one is the first.
   *
   * @param today as the lock gave it; the partition of that day exists
   * @param events with `identity`, what tells an event from the device's others; null: it counts each time
   * @returns for each event whether it counts
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

  /** @returns those of the digests that were unknown: they are remembered now, unless the user's day is full */
  async #insertUnknown(
    executor: Executor,
    { appId, userId }: ReportingDevice,
    today: string,
    digests: readonly string[],
  ): Promise<string[]> {
    // A transaction that began before midnight may run after one that began behind it: the day to come is looked at as well.
    // The day is a parameter, so that PostgreSQL plans for the partitions of these days alone.
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

function digestOf(deviceId: string, identity: JsonValue): string {
  const digest = createHash('sha256')
    .update(canonicalJson([deviceId, identity]))
    .digest();
  return digest.toString('hex', 0, DIGEST_BYTES);
}

function checkUnprotected({ isProved, protectedAttributes }: UserOfDevice, behaviors: readonly Behavior[]): void {
  if (isProved) return;
  const refused = behaviors.find(({ name }) =>
    attributesOfEvent(name).some((attribute) => protectedAttributes.includes(attribute)),
  );
  if (refused) throw new DomainError('FORBIDDEN', `Only a device that proved its user reports ${refused.name}`);
}
