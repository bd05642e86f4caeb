import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, findMessagesToPublish, type WaitingMessage } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import { LinkTracker } from '@postrider/rendering';
import { type KnownMessage, MessageCache } from '../inbox/message-cache.service';

const CACHE_BYTES = 32 * 1024 * 1024;

/** Messages as they are published: the content of each is read once, whether it was cancelled every time. */
@Injectable()
export class KnownMessages {
  readonly #cache: MessageCache;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.#cache = new MessageCache(CACHE_BYTES, new LinkTracker(config));
  }

  /** Those of the messages that may be published: by id. */
  async of(waiting: readonly WaitingMessage[]): Promise<Map<string, KnownMessage>> {
    const asked = waiting.map(({ appId, messageId }) => ({
      appId,
      messageId,
      isKnown: this.#cache.has(appId, messageId),
    }));
    const known = new Map<string, KnownMessage>();
    for (const read of await findMessagesToPublish(this.database, asked)) {
      if (read.status === 'cancelled') continue;
      const { content } = read;
      const message = content === null ? this.#cache.get(read.appId, read.id) : this.#cache.add({ ...read, content });
      if (message) known.set(read.id, message);
    }
    return known;
  }
}
