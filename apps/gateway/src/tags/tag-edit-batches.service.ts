import { groupBy } from '@postrider/domain';
import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, inTransaction, orAlone, TagsRepository } from '@postrider/persistence';
import { Batcher, LOGGER, type Logger } from '@postrider/platform';
import { applyTagEdits, type TagEdit } from './tag-edit';

const BATCHES_AT_ONCE = 2;
const MAX_EDITS = 100;

/** The result of an edit: the number of installations, or that the user would have too many tags. */
type TagEditAnswer = { kind: 'edited'; count: number } | { kind: 'too_many' };

interface Asked {
  userId: string;
  edit: TagEdit;
}

/**
 * Edits the tags of users for different requests in common transactions. Edits of one user run one after the other, in
 * the order of the requests.
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

  /** @returns null if nothing was done, because another transaction has locked the user or a device of the batch */
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
    const editsOf = groupBy(asked, ({ userId }) => userId);
    const { held, unknown } = await this.tags.lockUsers(executor, appId, [...editsOf.keys()]);
    const edited = new Map(
      held.map((user) => {
        const edits = (editsOf.get(user.userId) ?? []).map(({ edit }) => edit);
        return [user.userId, applyTagEdits(user, edits)];
      }),
    );
    const changed = [...edited].filter(([, { isChanged }]) => isChanged);
    const unchanged = [...edited].filter(([, { isChanged }]) => !isChanged);
    const counts = await this.tags.writeLocked(
      executor,
      appId,
      changed.map(([userId, { now }]) => ({ userId, ...now })),
      unchanged.map(([userId]) => userId),
    );
    const strangers = new Set(unknown);
    return asked.map(({ userId }) => {
      if (strangers.has(userId)) return { kind: 'edited', count: 0 };
      // In the order of the edits, which is the order of the requests.
      const result = edited.get(userId)?.results.shift();
      if (result === undefined) return null;
      if (result === 'too_many') return { kind: 'too_many' };
      return { kind: 'edited', count: result === 'counted' ? (counts.get(userId) ?? 0) : 0 };
    });
  }
}
