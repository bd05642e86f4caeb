import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, inRetriedTransaction, TagsRepository, UsersRepository } from '@postrider/persistence';
import { MOST_TAGS } from '@postrider/contracts';
import { InvalidRequest } from '@postrider/domain';
import { TagEditBatches } from './tag-edit-batches.service';

/** Tags to be added. */
interface AddedTags {
  tags: readonly string[];
  /** The values of key/value tags. A tag that has a value keeps it unless it has another one here. */
  values?: Readonly<Record<string, string>>;
  /** The field of the request that names the tags. */
  field: 'tag' | 'tags';
}

/**
 * Changes and reads the tags of users. Tags belong to the user and are copied to their installations in the same
 * transaction. Concurrent changes of one user run one after the other and none is lost.
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
   * Adds tags.
   *
   * @returns the number of the user's installations, which have the tags now; 0 for an unknown user
   * @throws InvalidRequest if they would have too many
   */
  async add(appId: string, userId: string, { tags, values = {}, field }: AddedTags): Promise<number> {
    const shared = await this.batches.edit(appId, userId, { kind: 'add', tags, values });
    if (shared?.kind === 'edited') return shared.count;
    if (shared !== null) throw tooManyTags(field);
    return inRetriedTransaction(this.database, async (executor) => {
      const now = await this.tags.add(executor, appId, userId, { tags, values });
      if (!now) return 0;
      if (now.tags.length > MOST_TAGS) throw tooManyTags(field);
      return this.tags.copyToDevices(executor, { appId, userId }, now);
    });
  }

  /** Removes tags and their values. @returns the number of the user's installations that had any of them */
  async remove(appId: string, userId: string, tags: readonly string[]): Promise<number> {
    const shared = await this.batches.edit(appId, userId, { kind: 'remove', tags });
    if (shared?.kind === 'edited') return shared.count;
    return inRetriedTransaction(this.database, async (executor) => {
      const now = await this.tags.remove(executor, appId, userId, tags);
      return now ? this.tags.copyToDevices(executor, { appId, userId }, now, tags) : 0;
    });
  }

  /** The user's tags; of a key/value tag the key. */
  async list(appId: string, userId: string): Promise<string[]> {
    return (await this.users.find(appId, userId))?.tags ?? [];
  }
}

function tooManyTags(field: AddedTags['field']): InvalidRequest {
  return new InvalidRequest([{ path: field, message: `would give the user more than ${MOST_TAGS} tags` }]);
}
