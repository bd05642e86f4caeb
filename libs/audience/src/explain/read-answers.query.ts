import { edgeIsAlive, type Executor, joined, parameter, rows, sql, type Sql } from '@postrider/persistence';
import { compileMembership, JOIN_USERS } from '../selection/membership-sql';
import { RoutingSql } from '../selection/routing-sql';
import { answerColumn, joinAnswers } from './answers-sql';
import { combineSql } from './combine-sql';
import type { DeviceAnswers } from './explained-device';
import type { Outline } from './outline-rules';
import type { RulesSelection } from './rules-selection';

/** Whose devices are asked about. */
export type AskedDevices = { userId: string } | { installationId: string };

/**
 * Asks all rules of some devices, at most `limit`: the same predicates that choose a message's recipients. Reads only.
 */
export async function readAnswers(
  executor: Executor,
  selection: RulesSelection,
  outline: Outline,
  asked: AskedDevices,
  limit: number,
): Promise<DeviceAnswers[]> {
  const { acceptedAt, appId, channel } = selection;
  const app = parameter(appId);
  const routing = new RoutingSql(selection.reach, app);
  const member = compileMembership({ acceptedAt, channel, who: { kind: 'everyone' } }, app);
  const answer = (rule: number): Sql => sql`answers.${answerColumn(rule)}`;
  const whose =
    'userId' in asked ? sql`i.user_id = ${asked.userId}` : sql`i.installation_id = ${asked.installationId}::uuid`;
  return rows<DeviceAnswers>(
    executor,
    sql`SELECT ${FACTS}, ARRAY[${joined(
      outline.rules.map((_, rule) => answer(rule)),
      ', ',
    )}] AS answers,
       ${combineSql(outline.whole, answer) ?? sql`true`} AS "isMatch", (${member.condition}) AS "isMember",
       coalesce(${routing.isReachable}, false) AS "isReachable",
       CASE WHEN NOT coalesce(${routing.isReachable}, false) THEN ${routing.reason} END AS reason
     FROM installations i ${JOIN_USERS.all} ${routing.join}
       ${joinAnswers(outline, { now: acceptedAt })}
     WHERE i.app_id = ${app} AND ${whose}
     ORDER BY i.id LIMIT ${limit}`,
  );
}

const FACTS = sql`i.installation_id AS "installationId", i.user_id AS "userId", i.device_type AS "deviceType",
  i.os_version AS "osVersion", i.client_version AS "clientVersion", i.launch_count AS "launchCount",
  i.launch_time AS "launchTime", i.install_date AS "installDate", i.tags, i.tag_values AS "tagValues", i.latitude,
  i.longitude, i.push_type AS "pushType", i.attributes,
  EXISTS (SELECT FROM presence p JOIN edges e ON e.edge_id = p.edge_id
    WHERE p.app_id = i.app_id AND p.id = i.id AND ${edgeIsAlive(sql`e`)}) AS "isOnline", coalesce(u.attributes, '{}') AS "userAttributes",
  i.registration || jsonb_strip_nulls(jsonb_build_object('userId', i.user_id, 'pushType', i.push_type,
    'tokenStatus', i.token_status, 'timeZone', i.time_zone, 'locale', i.locale, 'realtime', i.realtime,
    'protected', i.protected)) AS registration`;
