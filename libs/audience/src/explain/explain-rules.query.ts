import { type Executor, rows } from '@postrider/persistence';
import { rulesNeedUsers } from '../segments/compile-rules';
import { compileMembership } from '../selection/membership-sql';
import { RoutingSql } from '../selection/routing-sql';
import { SqlParameters } from '../sql/sql-parameters';
import { answerColumn, joinAnswers } from './answers-sql';
import { combineSql } from './combine-sql';
import type { MatchCount } from './count-matches.query';
import { JOIN_USERS } from './join-users';
import { outlineRules } from './outline-rules';
import type { RulesSelection } from './rules-selection';

/** What one rule does to a group. */
export interface RuleEffect {
  /** Where it stands in the request. */
  path: string;
  /** Devices of the channel that match it, whatever the other rules say. */
  alone: number;
  /** Devices that the group would have if it were not there. */
  without: number;
}

/** A group's devices, and what each rule does to them. */
export type RulesExplanation = MatchCount & { rules: RuleEffect[] };

/**
 * Counts a group rule by rule: every device of the channel is asked every rule once. Reads only.
 *
 * @throws InvalidRequest when the rules are not within the segment language
 */
export async function explainRules(executor: Executor, selection: RulesSelection): Promise<RulesExplanation> {
  const { who, acceptedAt, appId, channel } = selection;
  const outline = outlineRules(who);
  const parameters = new SqlParameters([appId]);
  const { isReachable } = new RoutingSql(selection.reach, '$1', parameters);
  const members = compileMembership({ acceptedAt, channel, who: { kind: 'everyone' } }, '$1', parameters);
  const answers = joinAnswers(outline, { now: acceptedAt, parameters });
  const answer = (rule: number): string => `answers.${answerColumn(rule)}`;
  const whole = combineSql(outline.whole, answer) ?? 'true';
  const effects = outline.rules.flatMap((_, rule) => [
    `count(*) FILTER (WHERE ${answer(rule)})`,
    `count(*) FILTER (WHERE ${combineSql(outline.whole, answer, rule) ?? 'true'})`,
  ]);
  const [counted] = await rows<MatchCount & { effects: number[] }>(
    executor,
    `SELECT count(*) FILTER (WHERE ${whole} AND ${isReachable})::int AS count,
       count(*) FILTER (WHERE ${whole})::int AS devices, ARRAY[${effects.join(', ')}]::int[] AS effects
     FROM installations i ${rulesNeedUsers(who) ? JOIN_USERS : ''} ${answers}
     WHERE ${members.condition}`,
    parameters.values,
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
