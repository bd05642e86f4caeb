import { Injectable } from '@nestjs/common';
import { type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { parameter, sql } from '../sql';
import {
  copyTags,
  editTags,
  type HeldTags,
  holdUsers,
  holdUsersUnlessHeld,
  type UserTagEdit,
  type UserTags,
  writeTags,
} from './tags-of-many-users';

/** The result of a set of edits. */
interface TagEditOutcome {
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  /** Users who would have too many tags. Theirs were not changed. */
  overfullUsers: string[];
}

/** How long a batch of edits waits for a lock on a user's device. Then each user is edited alone. */
const PATIENCE = '100ms';

/**
 * The tags of users, and their copies on the users' installations. It all runs in the caller's transaction, which
 * changes both: a user's row is locked first, then their installations in the order of their numbers.
 */
@Injectable()
export class TagsRepository {
  /**
   * Adds tags to a user and sets values of some of them, in the user's own row. It locks the row, so that concurrent
   * edits run one after the other. `copyToDevices` must follow in the same transaction.
   *
   * @param values the values of key/value tags; a tag that is not named keeps its value
   * @returns their tags now, or null for an unknown user
   */
  async add(
    executor: Executor,
    appId: string,
    userId: string,
    { tags, values }: { tags: readonly string[]; values: Readonly<Record<string, string>> },
  ): Promise<UserTags | null> {
    const [changed] = await preparedRows<UserTags>(
      executor,
      sql`UPDATE users SET tags = (SELECT array_agg(DISTINCT tag) FROM unnest(tags || ${tags}::text[]) AS tag),
            tag_values = tag_values || ${JSON.stringify(values)}::jsonb, updated_at = now()
          WHERE app_id = ${appId} AND user_id = ${userId}
          RETURNING tags, tag_values AS "tagValues"`,
    );
    return changed ?? null;
  }

  /**
   * Removes tags and their values from a user, in the user's own row; see `add`.
   *
   * @returns their tags now, or null if the user is unknown or has none of them
   */
  async remove(executor: Executor, appId: string, userId: string, tags: readonly string[]): Promise<UserTags | null> {
    const removed = parameter(tags, 'text[]');
    const [changed] = await preparedRows<UserTags>(
      executor,
      sql`UPDATE users SET tags = ARRAY(SELECT tag FROM unnest(tags) AS tag WHERE tag <> ALL(${removed})),
            tag_values = tag_values - ${removed}, updated_at = now()
          WHERE app_id = ${appId} AND user_id = ${userId} AND tags && ${removed} COLLATE "C"
          RETURNING tags, tag_values AS "tagValues"`,
    );
    return changed ?? null;
  }

  /**
   * Gives every installation of a user the user's tags, in the transaction that changed them. A separate statement
   * after the change, so that it sees installations that were registered while the change waited for its lock.
   *
   * @param removed if given, only installations that had one of these count
   * @returns the number of the user's installations (that had one of `removed`)
   */
  async copyToDevices(
    executor: Executor,
    owner: { appId: string; userId: string },
    now: UserTags,
    removed?: readonly string[],
  ): Promise<number> {
    const appId = parameter(owner.appId);
    const userId = parameter(owner.userId);
    const tags = parameter(now.tags, 'text[]');
    const tagValues = parameter(JSON.stringify(now.tagValues), 'jsonb');
    const counting = parameter(removed ?? null, 'text[]');
    const [counted] = await preparedRows<{ count: string }>(
      executor,
      sql`WITH held AS MATERIALIZED (
            SELECT id FROM installations
            WHERE app_id = ${appId} AND user_id = ${userId} AND (tags <> ${tags} OR tag_values <> ${tagValues})
            ORDER BY id FOR NO KEY UPDATE
          ), changed AS (
            UPDATE installations SET tags = ${tags}, tag_values = ${tagValues}, updated_at = now()
            WHERE app_id = ${appId} AND id = ANY (ARRAY(SELECT id FROM held))
          )
          SELECT count(*) FROM installations
          WHERE app_id = ${appId} AND user_id = ${userId} AND (${counting} IS NULL OR tags && ${counting})`,
    );
    return Number(counted?.count ?? 0);
  }

  /**
   * Locks users until the transaction ends and reads their tags, so that concurrent edits run one after the other. It
   * does not wait for locked users, and later statements of this transaction do not wait long.
   *
   * @returns the locked users, and `unknown` ones; a user whom another transaction has locked is neither
   */
  async lockUsers(
    executor: Executor,
    appId: string,
    userIds: readonly string[],
  ): Promise<{ held: HeldTags[]; unknown: string[] }> {
    const found = await preparedRows<HeldTags & { isHeld: boolean }>(
      executor,
      holdUsersUnlessHeld({ appId, userIds, patience: PATIENCE }),
    );
    return {
      held: found.filter(({ isHeld }) => isHeld),
      unknown: found.filter(({ isHeld }) => !isHeld).map(({ userId }) => userId),
    };
  }

  /**
   * Writes tags of users that `lockUsers` holds, and copies them to their installations. A separate statement after the
   * lock, so that it sees installations that were registered a moment before.
   *
   * @returns the number of installations of each user, by user id; also for `unchanged` ones, who are only counted
   * @throws if an installation was locked for too long
   */
  async writeLocked(
    executor: Executor,
    appId: string,
    changed: readonly HeldTags[],
    unchanged: readonly string[],
  ): Promise<Map<string, number>> {
    const counted = await preparedRows<{ userId: string; count: number }>(
      executor,
      writeTags({ appId, changed, unchanged }),
    );
    return new Map(counted.map(({ userId, count }) => [userId, count]));
  }

  /**
   * Changes the tags of many users and of their installations. Users are locked in the order of their ids, so that
   * concurrent edits of the same users run one after the other and none is lost.
   *
   * @param edits one for each user
   */
  async editMany(
    executor: Executor,
    appId: string,
    edits: readonly UserTagEdit[],
    mostTags: number,
  ): Promise<TagEditOutcome> {
    const userIds = edits.map(({ userId }) => userId);
    const held = await rows<{ userId: string }>(executor, holdUsers({ appId, userIds }));
    const known = new Set(held.map(({ userId }) => userId));
    const wanted = edits.filter(({ userId }) => known.has(userId));
    const [edited] = await rows<{ changed: string[]; overfull: string[] }>(
      executor,
      editTags({ appId, edits: wanted, mostTags }),
    );
    const changed = edited?.changed ?? [];
    const devices = changed.length > 0 ? await rows(executor, copyTags({ appId, userIds: changed })) : [];
    return {
      usersChanged: changed.length,
      devicesChanged: devices.length,
      unknownUsers: edits.length - wanted.length,
      overfullUsers: edited?.overfull ?? [],
    };
  }
}
