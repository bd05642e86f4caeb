import { type JsonObject, lastCallAt, type MessageContent, NOW_OR_NEVER_MS } from '@postrider/domain';
import type { MessageToPublish } from '@postrider/persistence';
import { createPersonalMessage, createRenderer, type LinkTracker, type PersonalMessage } from '@postrider/rendering';
import type { OutgoingMessage } from '../session/outgoing-delivery';

/** A message that is known here, ready to be made into payloads. */
export interface KnownMessage {
  outgoing: OutgoingMessage;
  content: MessageContent;
  /** Null: every device of a platform gets the same. */
  personal: PersonalMessage | null;
  /** The payload of a message that is not personal: the same bytes for all devices of a platform. */
  payloadFor(deviceType: string | null): Buffer;
  /** What a device gets of a personal message whose content came to this. */
  payloadWith(content: MessageContent, deviceType: string | null): JsonObject;
}

/**
 * Messages that were published lately, so that their content is read and rendered once. The ones used longest ago make room
 * when there are more than fit.
 */
export class MessageCache {
  readonly #known = new Map<string, { message: KnownMessage; bytes: number }>();
  #bytes = 0;

  /** @param links null: no message's links are tracked */
  constructor(
    private readonly maxBytes: number,
    private readonly links: LinkTracker | null = null,
  ) {}

  get(appId: string, messageId: string): KnownMessage | undefined {
    const key = `${messageId} ${appId}`;
    const known = this.#known.get(key);
    if (known === undefined) return undefined;
    this.#known.delete(key);
    this.#known.set(key, known);
    return known.message;
  }

  has(appId: string, messageId: string): boolean {
    return this.#known.has(`${messageId} ${appId}`);
  }

  /** Makes a message known. */
  add(read: MessageToPublish & { content: MessageContent }): KnownMessage {
    const message = prepare(read, this.links);
    const bytes = 2 * JSON.stringify(read.content).length + 1_000;
    this.#known.set(`${read.id} ${read.appId}`, { message, bytes });
    this.#bytes += bytes;
    for (const [key, oldest] of this.#known) {
      if (this.#bytes <= this.maxBytes || oldest.message === message) break;
      this.#known.delete(key);
      this.#bytes -= oldest.bytes;
    }
    return message;
  }
}

function prepare(read: MessageToPublish & { content: MessageContent }, links: LinkTracker | null): KnownMessage {
  const { content } = read;
  const application = { name: read.applicationName, defaultAlertText: read.defaultAlertText };
  const renderable = { ...read, content };
  const renderer = createRenderer(renderable, application);
  const payloads = new Map<JsonObject, Buffer>();
  return {
    outgoing: outgoingOf(read, content.live),
    content,
    personal: createPersonalMessage(renderable, application, links?.trackingOf(read.appId, renderable) ?? null),
    payloadFor: (deviceType) => {
      // The renderer gives the very same object to every device of a platform.
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
  const lastCall = lastCallAt(startsAtMs, expiresAtMs);
  return {
    appId: read.appId,
    id: read.id,
    channel: read.channel,
    isToNamedUsers: read.isToNamedUsers,
    isLive,
    startsAtMs,
    expiresAtMs,
    lastCallMs: isLive ? Math.min(lastCall, startsAtMs + NOW_OR_NEVER_MS) : lastCall,
  };
}
