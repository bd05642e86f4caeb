import { Inject, Injectable } from '@nestjs/common';
import {
  type Edition,
  EditionChoices,
  hasEditions,
  type JsonObject,
  type MessageContent,
  waitingEndsAt,
} from '@postrider/domain';
import { MessagesRepository, type MessageToPublish, type WaitingMessage } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import {
  createPersonalMessage,
  createRenderer,
  LinkTracker,
  PerEdition,
  type PersonalMessage,
  type RenderableApplication,
} from '@postrider/rendering';
import { LRUCache } from 'lru-cache';
import type { OutgoingMessage } from '../session/outgoing-delivery';

const MOST_BYTES = 32 * 1024 * 1024;

/** A message that is ready to be rendered into payloads. */
export interface CachedMessage {
  outgoing: OutgoingMessage;
  content: MessageContent;
  /** Chooses the edition of each device. Null: the message has only one. */
  choices: EditionChoices | null;
  /** The variant that was chosen as the best. Null: none. */
  winner: string | null;
  edition(edition: Edition): CachedEdition;
}

/** One edition of a message. */
export interface CachedEdition {
  /** Null: every device of a platform gets the same payload. */
  personal: PersonalMessage | null;
  /** The payload of a message that is not personal: the same bytes for all devices of a platform. */
  payloadFor(deviceType: string | null): Buffer;
  /** The payload of a personal message for a device, from the content rendered for that device. */
  payloadWith(content: MessageContent, deviceType: string | null): JsonObject;
}

/** A message for the renderer, which dates it by the time at which it was sent, as delivery workers do. */
type StoredMessage = MessageToPublish & { content: MessageContent; acceptedAt: Date };

/**
 * The messages that are being published. The content of a message is read and rendered once. Its cancellation is
 * checked every time. If the cache is full, the messages that were used longest ago are dropped.
 */
@Injectable()
export class MessageCache {
  readonly #messages = new LRUCache<string, CachedMessage>({ maxSize: MOST_BYTES });
  readonly #links: LinkTracker;

  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.#links = new LinkTracker(config);
  }

  /** Finds those of the messages that may be published, by message id. */
  async find(waiting: readonly WaitingMessage[]): Promise<Map<string, CachedMessage>> {
    // Referenced here, because another call may push them out of the cache while this one waits for the database.
    const known = new Map<string, CachedMessage>();
    const asked = waiting.map(({ appId, messageId }) => {
      const key = keyOf(appId, messageId);
      const message = this.#messages.get(key);
      if (message) known.set(key, message);
      return { appId, messageId, isKnown: message !== undefined };
    });
    const found = new Map<string, CachedMessage>();
    for (const read of await this.messages.findToPublish(asked)) {
      if (read.status === 'cancelled') continue;
      const { content } = read;
      const message =
        content === null
          ? known.get(keyOf(read.appId, read.id))
          : this.#add({ ...read, content, acceptedAt: read.startsAt });
      // The winner may have been chosen since the message was cached.
      if (message) found.set(read.id, read.winner ? { ...message, winner: read.winner } : message);
    }
    return found;
  }

  #add(read: StoredMessage): CachedMessage {
    const message = prepare(read, this.#links);
    const size = 2 * JSON.stringify(read.content).length + 1_000;
    this.#messages.set(keyOf(read.appId, read.id), message, { size });
    return message;
  }
}

function keyOf(appId: string, messageId: string): string {
  return `${messageId} ${appId}`;
}

function prepare(read: StoredMessage, links: LinkTracker): CachedMessage {
  const { content } = read;
  const application = { name: read.applicationName, defaultAlertText: read.defaultAlertText };
  const editions = new PerEdition<StoredMessage, CachedEdition>(read, (own) => prepareEdition(own, application, links));
  return {
    outgoing: outgoingOf(read, content.live),
    content,
    choices: hasEditions(content) ? new EditionChoices(content) : null,
    winner: null,
    edition: (edition) => editions.of(edition),
  };
}

function prepareEdition(
  renderable: StoredMessage,
  application: RenderableApplication,
  links: LinkTracker,
): CachedEdition {
  const renderer = createRenderer(renderable, application);
  const payloads = new Map<JsonObject, Buffer>();
  return {
    personal: createPersonalMessage(renderable, application, links.trackingOf(renderable.appId, renderable)),
    payloadFor: (deviceType) => {
      // The renderer returns the same object for every device of a platform.
      const json = renderer.connectionPayload({ deviceType });
      const payload = payloads.get(json) ?? Buffer.from(JSON.stringify(json));
      payloads.set(json, payload);
      return payload;
    },
    payloadWith: (own, deviceType) =>
      createRenderer({ ...renderable, content: own }, application).connectionPayload({ deviceType }),
  };
}

function outgoingOf(read: MessageToPublish, isLive: boolean): OutgoingMessage {
  const startsAtMs = read.startsAt.getTime();
  const expiresAtMs = read.expiresAt.getTime();
  return {
    appId: read.appId,
    id: read.id,
    channel: read.channel,
    isToNamedUsers: read.isToNamedUsers,
    isLive,
    startsAtMs,
    expiresAtMs,
    lastCallMs: waitingEndsAt(isLive, startsAtMs, expiresAtMs),
  };
}
