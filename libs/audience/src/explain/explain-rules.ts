import { type Executor, joined, parameter, rows, sql, type Sql } from '@postrider/persistence';
import { needsUsers } from '../segments/compile-rules';
import { compileMembership, JOIN_USERS, type RulesSelection } from '../selection/audience-selection';
import { RoutingSql } from '../selection/routing-sql';
import { answerColumn, joinAnswers, combineSql, outlineRules } from './outline-rules';
import type { MatchCount } from '../selection/read-audiences';

/** The effect of one rule on a group. */
interface RuleEffect {
  /** The place of the rule in the request. */
  path: string;
  /** Devices of the channel that match this rule, whatever the other rules are. */
  alone: number;
  /** Devices that the group would have without this rule. */
  without: number;
}

/** A group's devices, and the effect of each rule. */
type RulesExplanation = MatchCount & { rules: RuleEffect[] };

/**
 * Counts a group rule by rule: every rule is evaluated once for every device of the channel. Reads only.
 *
 * @throws InvalidRequest if the rules are not valid segment rules
 */
export async function explainRules(executor: Executor, selection: RulesSelection): Promise<RulesExplanation> {
  const { who, acceptedAt, appId, channel } = selection;
  const outline = outlineRules(who);
  const app = parameter(appId);
  const { isReachable } = new RoutingSql(selection.reach, app);
  const members = compileMembership({ acceptedAt, channel, who: { kind: 'everyone' } }, app);
  const users = outline.rules.some(({ condition }) => needsUsers(condition)) ? JOIN_USERS.all : sql``;
  const answers = joinAnswers(outline, { now: acceptedAt });
  const answer = (rule: number): Sql => sql`answers.${answerColumn(rule)}`;
  const whole = combineSql(outline.whole, answer) ?? sql`true`;
  const effects = outline.rules.flatMap((_, rule) => [
    sql`count(*) FILTER (WHERE ${answer(rule)})`,
    sql`count(*) FILTER (WHERE ${combineSql(outline.whole, answer, rule) ?? sql`true`})`,
  ]);
  const [counted] = await rows<MatchCount & { effects: number[] }>(
    executor,
    sql`SELECT count(*) FILTER (WHERE ${whole} AND ${isReachable})::int AS count,
       count(*) FILTER (WHERE ${whole})::int AS devices, ARRAY[${joined(effects, ', ')}]::int[] AS effects
     FROM installations i ${users} ${answers}
     WHERE ${members.condition}`,
  );
  if (!counted) throw new Error('A count gave no row');
  return {
    count: counted.count,
    devices: counted.devices,
    rules: outline.rules.map(({ path }, rule) => ({
      path,
      alone: counted.effects[2 * rule] ?? 0,
      without: counted.effects[2 * rule + 1] ?? 0,
    })),
  };
}
