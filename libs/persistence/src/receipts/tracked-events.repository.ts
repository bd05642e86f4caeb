import { groupBy } from '@postrider/domain';
import { Injectable } from '@nestjs/common';
import { type Executor, rows } from '../database/executor';
import { parameter, sql, type Sql } from '../sql';
import { UsersRepository } from '../users/users.repository';
import { applyBehaviors, type Behavior } from './behavior';
import { countConversions, lastOpened } from './conversions.statement';

/** An event that an application's backend tracks, or a device for its own user. */
export interface TrackedEvent {
  userId: string;
  /** `installations.id` of the installation that it names. Null: it is the user's, whatever device they used. */
  deviceId: string | null;
  /** With its time. */
  behavior: Behavior & { at: Date };
}

/** An event with revenue. */
type Conversion = TrackedEvent & { behavior: { revenue: { amount: number; currency: string | null } } };

/** Events that backends track. One transaction records a whole batch: attributes of users, and conversions. */
@Injectable()
export class TrackedEventsRepository {
  constructor(private readonly users: UsersRepository) {}

  /**
   * Records events. Every event counts, also one that equals another. Unknown users are made. Concurrent records of one
   * user run one after the other, and none is lost.
   *
   * @throws InvalidRequest if a user would have too many attributes; then nothing is recorded
   */
  async record(executor: Executor, appId: string, events: readonly TrackedEvent[], now: Date): Promise<void> {
    const eventsOf = groupBy(events, ({ userId }) => userId);
    const held = await this.users.lockOrAddMany(executor, appId, [...eventsOf.keys()]);
    const changed = held.map(({ userId, attributes }) => ({
      userId,
      attributes: applyBehaviors(
        attributes,
        (eventsOf.get(userId) ?? []).map(({ behavior }) => behavior),
        { now, latest: null },
      ),
    }));
    await this.users.saveAttributesOfMany(executor, appId, changed);
    const conversions = events.filter((event): event is Conversion => Boolean(event.behavior.revenue));
    if (conversions.length > 0) await rows(executor, recordConversions(appId, conversions, now));
  }
}

/** How many of a user's devices are searched for the message that was opened last. */
const MOST_DEVICES = 100;

/**
 * Counts each conversion for the message that its device, or any device of its user, opened last before it, within the
 * application's window. Conversions of one device with the same name and millisecond get times a microsecond apart,
 * because each is a conversion of its own. The caller holds the users.
 */
function recordConversions(appId: string, conversions: readonly Conversion[], now: Date): Sql {
  const [app, moment] = [parameter(appId), parameter(now, 'timestamptz')];
  const revenues = conversions.map(({ behavior }) => behavior.revenue);
  return sql`
  WITH found AS MATERIALIZED (
    SELECT opened.message_id, opened.device_id, e.name, e.at, e.revenue, e.currency, e.place,
      least(e.at, ${moment}) AS counted_at
    FROM unnest(
        ${conversions.map(({ userId }) => userId)}::text[],
        ${conversions.map(({ deviceId }) => deviceId)}::bigint[],
        ${conversions.map(({ behavior }) => behavior.name)}::text[],
        ${conversions.map(({ behavior }) => behavior.at)}::timestamptz[],
        ${revenues.map(({ amount }) => amount)}::numeric[],
        ${revenues.map(({ currency }) => currency)}::text[]
      ) WITH ORDINALITY AS e (user_id, device_id, name, at, revenue, currency, place)
    CROSS JOIN LATERAL (
      SELECT d.message_id, d.device_id FROM (
        SELECT e.device_id AS id WHERE e.device_id IS NOT NULL
        UNION ALL
        (SELECT i.id FROM installations i WHERE e.device_id IS NULL AND i.app_id = ${app} AND i.user_id = e.user_id
          ORDER BY i.id LIMIT ${MOST_DEVICES})
      ) own
      CROSS JOIN LATERAL (${lastOpened(app, sql`own.id`, sql`least(e.at, ${moment})`)}) d
      ORDER BY d.opened_at DESC, d.message_id DESC LIMIT 1
    ) opened
  ), placed AS (
    SELECT f.*, (
        SELECT count(*) FROM conversions c
        WHERE c.app_id = ${app} AND c.message_id = f.message_id AND c.device_id = f.device_id AND c.name = f.name
          AND c.at >= f.at AND c.at < f.at + interval '1 millisecond'
      ) + row_number() OVER (PARTITION BY f.message_id, f.device_id, f.name, f.at ORDER BY f.place) - 1 AS others
    FROM found f
  ), made AS (
    INSERT INTO conversions (app_id, message_id, device_id, at, name, revenue, currency)
    SELECT ${app}, message_id, device_id, at + others * interval '1 microsecond', name, revenue, currency FROM placed
    ON CONFLICT DO NOTHING
  )
  ${countConversions(app, sql`placed`)}`;
}
