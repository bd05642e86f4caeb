import { Inject, Injectable } from '@nestjs/common';
import { campaignSalt, type MessageContent, placesOfShare, variantEnds } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { recurringRows } from '../database/prepared-rows';
import { recipientOf } from '../devices/ownership';
import { isWithin, placeOfUser } from './campaign-places';
import type { MessageKey } from '../partitions/message-key';
import { joined, literal, parameter, sql, type Sql } from '../sql';
import { dueCampaignTests } from '../due-work/due-rows';

/** A part of a campaign's users: the place of a variant, those held out, or those who get the winner. */
type TestPart = number | 'holdout' | 'rest';

/** The results of one part of a campaign's users, counted over the users and devices that still exist. */
export interface TestFigures {
  part: TestPart;
  /** Devices. A device that opened the message also counts as delivered. */
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  /** Users, including those held out. */
  users: number;
  usersOpened: number;
  usersClicked: number;
  /** Users with a conversion since the campaign left, whichever message the conversion counts for. */
  usersConverted: number;
}

/** A message with parts, as its row has it. */
export interface CountedCampaign extends MessageKey {
  content: Pick<MessageContent, 'trackId' | 'variants' | 'winner' | 'holdout'>;
}

/** Which variant was chosen, and by whom. */
interface WinnerDecision {
  variant: string;
  by: 'figures' | 'caller';
}

/** The numbers of the parts that are not variants. */
const OTHER_PARTS: Record<string, TestPart> = { '-1': 'holdout', '-2': 'rest' };

/** Campaigns with variants or a holdout: it counts the results of each part and stores the winner. */
@Injectable()
export class CampaignTestsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Finds campaigns whose winner has to be chosen by their figures now, the longest due first. */
  findDue(now: Date, limit: number): Promise<CountedCampaign[]> {
    return recurringRows<CountedCampaign>(
      this.database,
      sql`SELECT app_id AS "appId", id AS "messageId", content ${dueCampaignTests(now)}
          ORDER BY winner_due_at LIMIT ${limit}`,
    );
  }

  /**
   * Counts the results of each part of a campaign. It reads every device once, so it takes some seconds for a million
   * devices. Parts without users are left out.
   */
  async count(executor: Executor, campaign: CountedCampaign): Promise<TestFigures[]> {
    const found = await rows<Omit<TestFigures, 'part'> & { part: number }>(executor, figuresStatement(campaign));
    return found.map((figures) => ({ ...figures, part: OTHER_PARTS[String(figures.part)] ?? figures.part }));
  }

  /**
   * Chooses the winner of a campaign, once. The users who wait for the winner are sent to from now on (or from their
   * local time), at the rate of the message and outside quiet hours. If several callers choose at once, one of them
   * succeeds.
   *
   * @returns false if nothing was chosen: a winner was chosen before, or the campaign was cancelled, is over, is unknown
   * or has no such variant (any more)
   */
  async decide(key: MessageKey, { variant, by }: WinnerDecision, at: Date): Promise<boolean> {
    const [appId, messageId, now] = [parameter(key.appId), parameter(key.messageId), parameter(at, 'timestamptz')];
    return inTransaction(this.database, async (executor) => {
      // The row is locked: a worker that resolves the audience at the same time waits, and then knows the winner.
      const decided = await rows(
        executor,
        sql`UPDATE messages SET winner_variant = ${variant}, winner_decided_at = ${now}, winner_by = ${by}, winner_due_at = NULL
            WHERE app_id = ${appId} AND id = ${messageId} AND winner_variant IS NULL AND status <> 'cancelled'
              AND expires_at > ${now} AND content -> 'variants' @> ${JSON.stringify([{ name: variant }])}::jsonb
            RETURNING 1`,
      );
      if (decided.length === 0) return false;
      await rows(executor, releaseStatement(key, at));
      return true;
    });
  }

  /** Puts the choice of the winner off until `until`, unless the winner was chosen meanwhile or never will be. */
  async putOff({ appId, messageId }: MessageKey, until: Date): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE messages SET winner_due_at = ${until}
          WHERE app_id = ${appId} AND id = ${messageId} AND winner_due_at IS NOT NULL`,
    );
  }

  /** Stops the choice of a winner: the campaign was cancelled or is over. */
  async giveUp({ appId, messageId }: MessageKey): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE messages SET winner_due_at = NULL WHERE app_id = ${appId} AND id = ${messageId}`,
    );
  }
}

/**
 * Releases the pages that wait for the winner. Pages of vendors are paced and checked for quiet hours when a worker
 * claims them. Pages of connections are opened at their time, so this statement spreads their times by the rate. (Quiet
 * hours are checked when they are opened.)
 */
function releaseStatement(key: MessageKey, at: Date): Sql {
  const [appId, messageId, now] = [parameter(key.appId), parameter(key.messageId), parameter(at, 'timestamptz')];
  return sql`
  WITH held AS MATERIALIZED (
    SELECT p.id, p.vendor, cardinality(p.device_ids) AS size, CASE WHEN p.starts_at > ${now} THEN p.starts_at END AS starts,
      least(m.rate, a.devices_per_second) AS rate
    FROM pages p JOIN messages m ON m.app_id = ${appId} AND m.id = ${messageId} JOIN applications a ON a.app_id = ${appId}
    WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.state = 'waiting' AND p.waits_for = 'winner'
    ORDER BY p.id FOR NO KEY UPDATE OF p
  ), released AS (
    SELECT id, vendor, starts, CASE WHEN starts IS NOT NULL THEN starts WHEN vendor = 'connection' AND rate IS NOT NULL
      THEN ${now} + make_interval(secs => (coalesce(sum(size) FILTER (WHERE starts IS NULL AND vendor = 'connection') OVER (
        ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) / rate::numeric)::float8) END AS due
    FROM held
  )
  UPDATE pages p
  SET not_before = r.due, waits_for = CASE WHEN r.starts IS NOT NULL THEN 'local_time' END,
    wake_at = CASE WHEN r.due IS NULL THEN ${now} WHEN r.vendor = 'connection' THEN r.due ELSE r.due - interval '3 seconds' END
  FROM released r
  WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = r.id AND p.state = 'waiting' AND p.waits_for = 'winner'`;
}

function figuresStatement(campaign: CountedCampaign): Sql {
  const [app, message] = [parameter(campaign.appId), parameter(campaign.messageId)];
  const recipient = recipientOf({ installation: sql`i`, users: sql`NULL::text[]`, since: sql`message.since` });
  return sql`
  WITH message AS MATERIALIZED (
    SELECT coalesce(send_at, accepted_at) AS since FROM messages WHERE app_id = ${app} AND id = ${message}
  ), reached AS (
    SELECT d.device_id AS id, d.rank >= 2 AS sent, d.rank >= 3 AS delivered, d.state = 'opened' AS opened
    FROM deliveries d
    WHERE d.app_id = ${app} AND d.message_id = ${message} AND (d.rank >= 2 OR (d.state = 'skipped' AND d.reason = 'holdout'))
    UNION ALL
    SELECT p.id, true, false, false
    FROM (SELECT unnest(k.device_ids) AS id FROM delivery_packs k WHERE k.app_id = ${app} AND k.message_id = ${message}) p
    WHERE NOT EXISTS (
      SELECT FROM deliveries r WHERE r.app_id = ${app} AND r.message_id = ${message} AND r.device_id = p.id
    )
  ), device AS (
    SELECT r.*, ${recipient} AS user_id, clicks.device_id IS NOT NULL AS clicked, gains.device_id IS NOT NULL AS converted
    FROM reached r CROSS JOIN message JOIN installations i ON i.app_id = ${app} AND i.id = r.id
    LEFT JOIN (
      SELECT DISTINCT device_id FROM delivery_clicks WHERE app_id = ${app} AND message_id = ${message}
    ) clicks ON clicks.device_id = r.id
    LEFT JOIN (
      SELECT DISTINCT c.device_id FROM conversions c, message m WHERE c.app_id = ${app} AND c.at >= m.since
    ) gains ON gains.device_id = r.id
  ), person AS (
    SELECT user_id, count(*) FILTER (WHERE sent) AS sent, count(*) FILTER (WHERE delivered) AS delivered,
      count(*) FILTER (WHERE opened) AS opened, count(*) FILTER (WHERE clicked) AS clicked, bool_or(opened) AS has_opened,
      bool_or(clicked) AS has_clicked, bool_or(converted) AS has_converted
    FROM device GROUP BY user_id
  )
  SELECT ${partOf(campaign, app)} AS part, sum(sent)::float8 AS sent, sum(delivered)::float8 AS delivered,
    sum(opened)::float8 AS opened, sum(clicked)::float8 AS clicked, count(*)::float8 AS users,
    (count(*) FILTER (WHERE has_opened))::float8 AS "usersOpened", (count(*) FILTER (WHERE has_clicked))::float8 AS "usersClicked",
    (count(*) FILTER (WHERE has_converted))::float8 AS "usersConverted"
  FROM person u GROUP BY 1 ORDER BY 1`;
}

/**
 * `campaignGroupOf` in SQL for the user `u`: the place of the variant for users who compare, -1 if held out, -2 for
 * users who get the winner.
 */
function partOf({ messageId, content }: CountedCampaign, app: ReturnType<typeof parameter>): Sql {
  const { trackId, variants, winner, holdout = 0 } = content;
  const user = { app, salt: campaignSalt(trackId, messageId), user: sql`u.user_id` };
  const cases: Sql[] = [];
  if (holdout > 0) cases.push(sql`WHEN ${isWithin(user, 'holdout', holdout / 100)} THEN -1`);
  if (variants === undefined) return cases.length === 0 ? sql`0` : sql`CASE ${joined(cases, ' ')} ELSE 0 END`;
  if (winner !== undefined) {
    const rest = placesOfShare(winner.share / 100);
    cases.push(sql`WHEN ${placeOfUser(user, 'share')} >= ${literal(rest)} THEN -2`);
  }
  const place = placeOfUser(user, 'variant');
  variantEnds(variants).forEach((end, at) => cases.push(sql`WHEN ${place} < ${literal(end)} THEN ${literal(at)}`));
  return sql`CASE ${joined(cases, ' ')} END`;
}
