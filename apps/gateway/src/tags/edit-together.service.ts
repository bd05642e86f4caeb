import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, inTransaction, TagsRepository } from '@postrider/persistence';
import { LOGGER, type Logger } from '@postrider/platform';
import { Rounds } from '../together/rounds';
import { applyTagEdits, type EditedTags, type TagEdit } from './tag-edit';

const ROUNDS_AT_ONCE = 2;
const EDITS_AT_ONCE = 100;

/** What an edit came to: the installations that it counts, or that the user would carry too many tags. */
export type TagEditAnswer = { kind: 'edited'; count: number } | { kind: 'too many' };

interface Asked {
  userId: string;
  edit: TagEdit;
}

/**
 * Edits the tags of users for different requests in common transactions. Edits of one user follow one another, in the order
 * in which they came.
 */
@Injectable()
export class EditTogether {
  readonly #rounds = new Map<string, Rounds<Asked, TagEditAnswer>>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly tags: TagsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns null when nothing was done, because somebody else holds the user or a device of the round */
  edit(appId: string, userId: string, edit: TagEdit): Promise<TagEditAnswer | null> {
    let rounds = this.#rounds.get(appId);
    if (!rounds) this.#rounds.set(appId, (rounds = this.#roundsOf(appId)));
    return rounds.give({ userId, edit });
  }

  #roundsOf(appId: string): Rounds<Asked, TagEditAnswer> {
    return new Rounds(
      {
        name: 'tags',
        roundsAtOnce: ROUNDS_AT_ONCE,
        mostAsks: EDITS_AT_ONCE,
        keyOf: ({ userId }) => userId,
        mostOfKey: EDITS_AT_ONCE,
        work: (asked) => inTransaction(this.database, (executor) => this.#editAll(executor, appId, asked)),
      },
      this.logger,
    );
  }

  async #editAll(executor: Executor, appId: string, asked: readonly Asked[]): Promise<(TagEditAnswer | null)[]> {
    const editsOf = new Map<string, TagEdit[]>();
    for (const { userId, edit } of asked) editsOf.set(userId, [...(editsOf.get(userId) ?? []), edit]);
    const { held, unknown } = await this.tags.holdTogether(executor, appId, [...editsOf.keys()]);
    const edited = new Map(held.map((user) => [user.userId, applyTagEdits(user, editsOf.get(user.userId) ?? [])]));
    const [changed, unchanged] = [true, false].map((which) =>
      [...edited].filter(([, { isChanged }]) => isChanged === which),
    ) as [[string, EditedTags][], [string, EditedTags][]];
    const counts = await this.tags.writeTogether(
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
