import {
  type Channel,
  type DeliveryVendor,
  type JsonObject,
  type PushVendor,
  type Reach,
  DEFAULT_CHANNELS,
} from '@postrider/domain';
import { joined, type MessageRecord, type Parameter, sql, type Sql, type StoredAudience } from '@postrider/persistence';
import { compileRules } from '../segments/compile-rules';
import type { CampaignSplit } from './campaign-split';

/** Who a message is for: named users, every member of the channel, or the devices that rules choose. */
export type AudienceMembers =
  | { kind: 'users'; userIds: string[] }
  | { kind: 'everyone' }
  | { kind: 'rules'; target?: JsonObject; segment?: JsonObject };

/** Returns the members of a stored message's audience. */
export function audienceMembersOf({ audience, userIds }: Pick<MessageRecord, 'audience' | 'userIds'>): AudienceMembers {
  if (userIds !== null) return { kind: 'users', userIds };
  if (audience.everyone === true) return { kind: 'everyone' };
  return { kind: 'rules', target: audience.target, segment: audience.segment };
}

/** Returns the value of `messages.audience`; named users have a column of their own. */
export function storedAudienceOf(who: AudienceMembers): StoredAudience {
  if (who.kind === 'everyone') return { everyone: true };
  if (who.kind === 'users') return {};
  return {
    ...(who.target === undefined ? {} : { target: who.target }),
    ...(who.segment === undefined ? {} : { segment: who.segment }),
  };
}

/** A validated audience: members of the channel only, and only as far as `reach` allows. */
export interface AudienceSelection {
  appId: string;
  acceptedAt: Date;
  channel: Channel;
  who: AudienceMembers;
  reach: Reach;
  /** How a campaign divides its audience; null or left out: everybody gets the same. */
  split?: CampaignSplit | null;
}

/** A number of devices by the way they are reached. Absent: none. */
export type DevicesByVendor = Partial<Record<DeliveryVendor, number>>;

/** Edges that hold connections of devices of a message; these edges are woken up. */
export type EdgeIds = string[];

/** A page that was written, with the facts that its delivery job needs. */
export interface WrittenPage {
  pageId: string;
  vendor: PushVendor;
  /** ISO 8601; null or left out: at once. */
  notBefore?: string | null;
}

/** The result of acceptance. */
export interface AcceptedMessage {
  /** Devices that the message is sent to. */
  count: number;
  /** The same by vendor; null if the audience is yet to be resolved. */
  byVendor: DevicesByVendor | null;
  /** Pages to enqueue now. */
  pages: WrittenPage[];
  /** Edges to wake up now: devices are connected there. */
  edges: EdgeIds;
  /** True if the audience worker has to resolve the audience into pages now. */
  needsResolving: boolean;
}

/** An audience that rules choose. */
export type RulesSelection = AudienceSelection & { who: Extract<AudienceMembers, { kind: 'rules' }> };

/**
 * The members of a selection, whether or not they can be reached: parts of one statement over alias `i`, an
 * installation.
 */
export interface MembershipSql {
  /** Joins the tables that `condition` needs beside the installation. */
  join: Sql;
  condition: Sql;
}

/**
 * Compiles an audience.
 * @param app the application's id
 * @param lookUp how users are found: `each` by key, for a statement that reads few installations of many, and that no
 *   statistics may turn into a scan of all users
 * @throws InvalidRequest if its rules are not within the segment language
 */
export function compileMembership(
  selection: Pick<AudienceSelection, 'acceptedAt' | 'channel' | 'who'>,
  app: Parameter,
  lookUp: 'all' | 'each' = 'all',
): MembershipSql {
  const { acceptedAt, channel, who } = selection;
  const terms = [sql`i.app_id = ${app}`];
  if (!isOnDefaultChannel(channel)) terms.push(sql`i.channels @> ARRAY[${channel}::text]`);
  if (who.kind === 'users') terms.push(NAMED[lookUp](app, who.userIds));
  if (who.kind !== 'rules') return { join: sql``, condition: joined(terms, ' AND ') };

  const compiled = compileRules({ target: who.target, segment: who.segment }, { now: acceptedAt });
  terms.push(sql`(${compiled.condition})`);
  const users = compiled.needsUsers ? JOIN_USERS[lookUp] : sql``;
  return { join: sql`${users} ${compiled.join}`, condition: joined(terms, ' AND ') };
}

/** `each`: finds the installations by key, user by user, before anything else. */
const NAMED = {
  all: (_app: Parameter, users: readonly string[]) => sql`i.user_id = ANY (${users}::text[])`,
  each: (app: Parameter, users: readonly string[]) => sql`i.id = ANY (ARRAY(
    SELECT own.id FROM unnest(${users}::text[]) AS named (user_id) CROSS JOIN LATERAL (
      SELECT o.id FROM installations o WHERE o.app_id = ${app} AND o.user_id = named.user_id OFFSET 0
    ) own))`,
};

/**
 * Joins an installation's user as alias `u`; the user may be unknown. `each`: finds the user by key, for few
 * installations of many.
 */
export const JOIN_USERS = {
  all: sql`LEFT JOIN users u ON u.app_id = i.app_id AND u.user_id = i.user_id`,
  each: sql`LEFT JOIN LATERAL (
    SELECT * FROM users owner WHERE owner.app_id = i.app_id AND owner.user_id = i.user_id LIMIT 1
  ) u ON true`,
};

/** True for the default channels: everybody is a member of them, and membership is not stored. */
export function isOnDefaultChannel(channel: Channel): boolean {
  return DEFAULT_CHANNELS.includes(channel);
}
