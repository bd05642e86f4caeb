import type { Channel } from '@postrider/domain';
import { type Executor, edgeIsAlive, joined, parameter, rows, sql, type Sql } from '@postrider/persistence';
import type { DeviceAnswers, ExplainedDevice } from './explained-device';
import { type Outline, outlineRules, type Combination, answerColumn, joinAnswers, combineSql } from './outline-rules';
import { type RulesSelection, compileMembership, JOIN_USERS } from '../selection/audience-selection';
import { sayRule } from './say-rule';
import { RoutingSql } from '../selection/routing-sql';

/**
 * Explains for some devices, at most `limit`, why a message to a group is sent to them or not. PostgreSQL decides, by
 * the predicates that choose recipients. The words are made from the device's data.
 *
 * @throws InvalidRequest if the rules are not valid segment rules
 */
export async function explainDevices(
  executor: Executor,
  selection: RulesSelection,
  asked: AskedDevices,
  limit: number,
): Promise<ExplainedDevice[]> {
  const outline = outlineRules(selection.who);
  const devices = await readAnswers(executor, selection, outline, asked, limit);
  return devices.map((device) => explainDevice(device, outline, selection));
}

function explainDevice(device: DeviceAnswers, outline: Outline, selection: RulesSelection): ExplainedDevice {
  const { installationId, userId, isMatch, isMember, isReachable, answers } = device;
  const rules = outline.rules.map(({ path, condition }, rule) => {
    const isHeld = answers[rule] === true;
    return { path, holds: isHeld, why: sayRule(condition, device, isHeld, selection.acceptedAt) };
  });
  const isIn = isMatch && isMember && isReachable;
  const reasons =
    isMatch && !isIn ? [] : decisiveRules(outline.whole, answers).flatMap((rule) => rules[rule]?.why ?? []);
  if (!isMember) reasons.push(sayNoMember(selection.channel));
  if (!isReachable) reasons.push(sayUnreachable(device));
  return { installationId, userId, isIn, isMatch, isMember, isReachable, reasons: [...new Set(reasons)], rules };
}

function sayNoMember(channel: Channel): string {
  return `is not a member of channel ${channel}`;
}

function sayUnreachable({ reason, pushType }: DeviceAnswers): string {
  switch (reason) {
    case 'user_not_proved':
      return 'receives nothing: the application requires that devices prove their user, and this one has not';
    case 'no_token':
      return 'has no usable token: it registered none';
    case 'token_invalid':
      return 'has no usable token: its token was refused, or the user denied notifications';
    case 'vendor_not_configured':
      return `cannot be reached: the application has no credentials for ${pushType ?? 'its vendor'}`;
    default:
      return 'cannot be reached: it uses no connection';
  }
}

/** True if a combination of rules holds, given each rule's answer. */
function holds(combination: Combination, answers: readonly boolean[]): boolean {
  if (typeof combination === 'number') return answers[combination] === true;
  const { all = [], any, none = [] } = combination;
  return (
    all.every((member) => holds(member, answers)) &&
    (any === undefined || any.some((member) => holds(member, answers))) &&
    !none.some((member) => holds(member, answers))
  );
}

/**
 * Finds the rules that make a combination true or false: those that would have to change for its result to change, and
 * no others.
 *
 * @returns places of rules, in the order of the request
 */
function decisiveRules(combination: Combination, answers: readonly boolean[]): number[] {
  if (typeof combination === 'number') return [combination];
  const { all = [], any = [], none = [] } = combination;
  const isTrue = (member: Combination): boolean => holds(member, answers);
  const anyHolds = combination.any === undefined || any.some(isTrue);
  const members = holds(combination, answers)
    ? [...all, ...any.filter(isTrue), ...none]
    : [...all.filter((member) => !isTrue(member)), ...(anyHolds ? [] : any), ...none.filter(isTrue)];
  return members.flatMap((member) => decisiveRules(member, answers)).sort((a, b) => a - b);
}

/** Which devices are explained. */
export type AskedDevices = { userId: string } | { installationId: string };

/**
 * Reads the results of all rules for some devices, at most `limit`, by the predicates that choose a message's
 * recipients. Reads only.
 */
async function readAnswers(
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
