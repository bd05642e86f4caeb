import { Inject, Injectable } from '@nestjs/common';
import {
  type Database,
  DATABASE,
  type Executor,
  inRetriedTransaction,
  inTransaction,
  TagsRepository,
  UsersRepository,
} from '@postrider/persistence';
import { Batcher, LOGGER, type Logger } from '@postrider/platform';
import { MOST_TAGS } from '@postrider/contracts';
import { InvalidRequest } from '@postrider/domain';
import { orAlone } from '../devices/registration/registration-batches.service';
import { applyTagEdits, type EditedTags, type TagEdit } from './tag-edit';

const BATCHES_AT_ONCE = 2;
const MAX_EDITS = 100;

/** What an edit came to: the installations that it counts, or that the user would carry too many tags. */
type TagEditAnswer = { kind: 'edited'; count: number } | { kind: 'too many' };

interface Asked {
  userId: string;
  edit: TagEdit;
}

/**
 * Edits the tags of users for different requests in common transactions. Edits of one user follow one another, in the order
 * in which they came.
 */
@Injectable()
export class TagEditBatches {
  /** By application. */
  readonly #batchers = new Map<string, Batcher<Asked, TagEditAnswer | null>>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly tags: TagsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns null when nothing was done, because somebody else holds the user or a device of the batch */
  edit(appId: string, userId: string, edit: TagEdit): Promise<TagEditAnswer | null> {
    let batcher = this.#batchers.get(appId);
    if (!batcher) this.#batchers.set(appId, (batcher = this.#createBatcher(appId)));
    return batcher.add({ userId, edit });
  }

  #createBatcher(appId: string): Batcher<Asked, TagEditAnswer | null> {
    const work = (asked: Asked[]): Promise<(TagEditAnswer | null)[]> =>
      inTransaction(this.database, (executor) => this.#editAll(executor, appId, asked));
    return new Batcher({
      work: orAlone('tags', work, this.logger),
      maxItems: MAX_EDITS,
      concurrency: BATCHES_AT_ONCE,
      perKey: { keyOf: ({ userId }) => userId, maxItems: MAX_EDITS },
    });
  }

  async #editAll(executor: Executor, appId: string, asked: readonly Asked[]): Promise<(TagEditAnswer | null)[]> {
    const editsOf = new Map<string, TagEdit[]>();
    for (const { userId, edit } of asked) editsOf.set(userId, [...(editsOf.get(userId) ?? []), edit]);
    const { held, unknown } = await this.tags.lockUsers(executor, appId, [...editsOf.keys()]);
    const edited = new Map(held.map((user) => [user.userId, applyTagEdits(user, editsOf.get(user.userId) ?? [])]));
    const [changed, unchanged] = [true, false].map((which) =>
      [...edited].filter(([, { isChanged }]) => isChanged === which),
    ) as [[string, EditedTags][], [string, EditedTags][]];
    const counts = await this.tags.writeLocked(
      executor,
      appId,
      changed.map(([userId, { now }]) => ({ userId, ...now })),
      unchanged.map(([userId]) => userId),
    );
    const strangers = new Set(unknown);
    return asked.map(({ userId }) => {
      if (strangers.has(userId)) return { kind: 'edited', count: 0 };
      // In the order of the edits, which is that of those who asked.
      const result = edited.get(userId)?.results.shift();
      if (result === undefined) return null;
      if (result === 'too many') return { kind: 'too many' };
      return { kind: 'edited', count: result === 'counts' ? (counts.get(userId) ?? 0) : 0 };
    });
  }
}

/**
 * Changes and reads the tags of users. Tags belong to the user and are copied to their installations in the same transaction;
 * changes of one user at the same time follow one another and none is lost.
 */
@Injectable()
export class EditTags {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly tags: TagsRepository,
    private readonly batches: TagEditBatches,
    private readonly users: UsersRepository,
  ) {}

  /**
   * Adds tags; a tag that has a value keeps it unless `values` names another.
   *
   * @returns the user's installations that carry the tags now; 0 for an unknown user
   * @throws InvalidRequest when they would carry too many
   */
  async add(
    appId: string,
    userId: string,
    tags: readonly string[],
    values: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const shared = await this.batches.edit(appId, userId, { kind: 'add', tags, values });
    if (shared?.kind === 'edited') return shared.count;
    if (shared !== null) throw tooManyTags();
    return inRetriedTransaction(this.database, async (executor) => {
      const now = await this.tags.add(executor, appId, userId, { tags, values });
      if (!now) return 0;
      if (now.tags.length > MOST_TAGS) throw tooManyTags();
      return this.tags.copyToDevices(executor, { appId, userId }, now);
    });
  }

  /** Removes tags and their values. @returns the user's installations that carried any of them */
  async remove(appId: string, userId: string, tags: readonly string[]): Promise<number> {
    const shared = await this.batches.edit(appId, userId, { kind: 'remove', tags });
    if (shared?.kind === 'edited') return shared.count;
    return inRetriedTransaction(this.database, async (executor) => {
      const now = await this.tags.remove(executor, appId, userId, tags);
      return now ? this.tags.copyToDevices(executor, { appId, userId }, now, tags) : 0;
    });
  }

  /** The user's tags; of a key/value tag its key. */
  async list(appId: string, userId: string): Promise<string[]> {
    return (await this.users.find(appId, userId))?.tags ?? [];
  }
}

function tooManyTags(): InvalidRequest {
  return new InvalidRequest([{ path: 'tags', message: `would give the user more than ${MOST_TAGS} tags` }]);
}
