import { type Channel, DEFAULT_CHANNELS } from '@postrider/domain';
import { compileRules, rulesNeedUsers } from '../segments/compile-rules';
import type { SqlParameters } from '../sql/sql-parameters';
import type { AudienceSelection } from './audience-selection';

/** Whom a selection names, whether or not they can be reached: pieces of one statement over alias `i`, an installation. */
export interface MembershipSql {
  /** Joins what `condition` needs beside the installation. */
  join: string;
  condition: string;
}

/**
 * Compiles an audience.
 *
 * @param app placeholder of the application's id
 * @param lookUp how users are found where rules ask for them: `each` by key, for a statement that looks at few installations
 *   of many and that no statistics must turn into a scan of all users
 * @throws InvalidRequest when its rules are not within the segment language
 */
export function compileMembership(
  selection: Pick<AudienceSelection, 'acceptedAt' | 'channel' | 'who'>,
  app: string,
  parameters: SqlParameters,
  lookUp: 'all' | 'each' = 'all',
): MembershipSql {
  const { acceptedAt, channel, who } = selection;
  const terms = [`i.app_id = ${app}`];
  if (!isOnDefaultChannel(channel)) terms.push(`i.channels @> ARRAY[${parameters.add(channel)}::text]`);
  if (who.kind === 'users') terms.push(NAMED[lookUp](app, `${parameters.add(who.userIds)}::text[]`));
  if (who.kind !== 'rules') return { join: '', condition: terms.join(' AND ') };

  const rules = { target: who.target, segment: who.segment };
  const compiled = compileRules(rules, { now: acceptedAt, parameters });
  terms.push(`(${compiled.condition})`);
  const users = rulesNeedUsers(rules) ? JOIN_USERS[lookUp] : '';
  return { join: `${users} ${compiled.join}`, condition: terms.join(' AND ') };
}

/** `each`: found by key, user by user, before anything else. */
const NAMED = {
  all: (_app: string, users: string) => `i.user_id = ANY (${users})`,
  each: (app: string, users: string) => `i.id = ANY (ARRAY(
    SELECT own.id FROM unnest(${users}) AS named (user_id) CROSS JOIN LATERAL (
      SELECT o.id FROM installations o WHERE o.app_id = ${app} AND o.user_id = named.user_id OFFSET 0
    ) own))`,
};

const JOIN_USERS = {
  all: 'LEFT JOIN users u ON u.app_id = i.app_id AND u.user_id = i.user_id',
  each: `LEFT JOIN LATERAL (
    SELECT * FROM users owner WHERE owner.app_id = i.app_id AND owner.user_id = i.user_id LIMIT 1
  ) u ON true`,
};

/** Membership of the default channels is everybody's and never stored. */
export function isOnDefaultChannel(channel: Channel): boolean {
  return DEFAULT_CHANNELS.includes(channel);
}
