import type { Channel } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** Who joins or leaves a channel: all installations of users, and single ones by id. */
export interface ChannelMembers {
  users: readonly string[];
  installationIds: readonly string[];
}

/** Makes installations members of a channel. @returns how many of those that are named are members now */
export async function addChannelMembers(
  executor: Executor,
  appId: string,
  channel: Channel,
  members: ChannelMembers,
): Promise<number> {
  return countOf(
    executor,
    `WITH named AS (${NAMED}), joining AS (${lockedOf('NOT i.channels @> ARRAY[$4::text]')}), joined AS (
       UPDATE installations i SET channels = array_append(i.channels, $4::text), updated_at = now()
       FROM joining WHERE i.app_id = $1 AND i.id = joining.id AND NOT i.channels @> ARRAY[$4::text]
     )
     SELECT count(*)::int AS count FROM named`,
    [appId, members.users, members.installationIds, channel],
  );
}

/** Ends memberships of a channel, and what keeps them. @returns how many of the installations that are named were members */
export async function removeChannelMembers(
  executor: Executor,
  appId: string,
  channel: Channel,
  members: ChannelMembers,
): Promise<number> {
  return countOf(
    executor,
    `WITH named AS (${NAMED}), leaving AS (${lockedOf('i.channels @> ARRAY[$4::text]')}), gone AS (
       UPDATE installations i SET channels = array_remove(i.channels, $4::text), updated_at = now()
       FROM leaving WHERE i.app_id = $1 AND i.id = leaving.id AND i.channels @> ARRAY[$4::text] RETURNING 1
     ), unsubscribed AS (
       UPDATE connection_sessions SET channels = array_remove(channels, $4::text) WHERE (app_id, id) IN (
         SELECT s.app_id, s.id FROM connection_sessions s JOIN named ON s.id = named.id
         WHERE s.app_id = $1 AND s.channels @> ARRAY[$4::text] ORDER BY s.id FOR UPDATE OF s)
     )
     SELECT count(*)::int AS count FROM gone`,
    [appId, members.users, members.installationIds, channel],
  );
}

/** How many installations these are: of a default channel, which everybody is a member of. */
export async function countNamedInstallations(
  executor: Executor,
  appId: string,
  members: ChannelMembers,
): Promise<number> {
  return countOf(executor, `SELECT count(*)::int AS count FROM (${NAMED}) named`, [
    appId,
    members.users,
    members.installationIds,
  ]);
}

const NAMED = `
  SELECT id FROM installations WHERE app_id = $1 AND (user_id = ANY ($2::text[]) OR installation_id = ANY ($3::uuid[]))`;

/** Those named that are to change, locked in the order of their numbers: of two calls at once one waits, never both. */
function lockedOf(condition: string): string {
  return `SELECT i.id FROM installations i JOIN named ON i.id = named.id WHERE i.app_id = $1 AND ${condition}
    ORDER BY i.id FOR NO KEY UPDATE OF i`;
}

async function countOf(executor: Executor, statement: string, parameters: readonly unknown[]): Promise<number> {
  const counted = await rows<{ count: number }>(executor, statement, parameters);
  return counted[0]?.count ?? 0;
}
