import { DEFAULT_EDITION, type Edition, type VendorPayload } from '@postrider/domain';
import type { ClaimedPage, PageDevice, PageKey } from '@postrider/persistence';
import {
  checkPayloadSize,
  createPersonalMessage,
  type createRenderer,
  type LinkTracker,
  type PersonalMessage,
  PerEdition,
  type RenderableMessage,
  type Renderer,
} from '@postrider/rendering';
import { LRUCache } from 'lru-cache';

/** The number of messages whose renderers are kept: enough for the messages that are sent at the same time. */
const KEPT = 64;

/** How one edition of a message becomes payloads. */
interface EditionRenderer {
  renderer: Renderer;
  /** Null if every device gets the same payload. */
  personal: PersonalMessage | null;
}

/** The editions of one message. */
type MessageRenderers = PerEdition<RenderableMessage, EditionRenderer>;

/**
 * The renderers of the messages at hand. All pages of a message share one renderer for each edition, so that its
 * payload is made, and serialised by the sender, once for a million devices.
 */
export class MessagePayloads {
  readonly #kept = new LRUCache<string, MessageRenderers>({ max: KEPT });
  /** Payloads that are small enough for their vendors. */
  readonly #fitting = new WeakSet<VendorPayload>();

  /** @param links null: no message's links are tracked */
  constructor(
    private readonly makeRenderer: typeof createRenderer,
    private readonly links: LinkTracker | null = null,
  ) {}

  /**
   * Returns the payload of each device of a page that gets this edition. Its size was checked when the message was
   * accepted, but since then the application may have got a longer name, or a device of another vendor may have come:
   * then the function throws TemplateFailure `payload_too_large`.
   */
  payloadsOf(key: PageKey, page: ClaimedPage, edition = DEFAULT_EDITION): (device: PageDevice) => VendorPayload {
    const { renderer } = this.#messageOf(key, page).of(edition);
    const { vendor } = page;
    return (device) => this.#checked(renderer.payloadFor(vendor, device));
  }

  /** Returns an edition of the page's message if each device gets its own text; its templates are parsed once. */
  personalMessageOf(key: PageKey, page: ClaimedPage, edition: Edition): PersonalMessage | null {
    return this.#messageOf(key, page).of(edition).personal;
  }

  /** Checks the size of a payload, once for all devices that share the object. */
  #checked(payload: VendorPayload): VendorPayload {
    if (this.#fitting.has(payload)) return payload;
    checkPayloadSize(payload);
    this.#fitting.add(payload);
    return payload;
  }

  #messageOf({ appId, messageId }: PageKey, page: ClaimedPage): MessageRenderers {
    // A message that begins at a different moment in each time zone also expires at a different moment there.
    const name = `${appId} ${messageId} ${page.expiresAt.getTime()}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const message = this.#create(appId, messageId, page);
    this.#kept.set(name, message);
    return message;
  }

  #create(appId: string, id: string, page: ClaimedPage): MessageRenderers {
    const { kind, content, channel, acceptedAt, expiresAt, applicationName: name, defaultAlertText } = page;
    const message = { id, kind, content, channel, acceptedAt, expiresAt };
    const application = { name, defaultAlertText };
    return new PerEdition<RenderableMessage, EditionRenderer>(message, (own) => ({
      renderer: this.makeRenderer(own, application),
      personal: createPersonalMessage(own, application, this.links?.trackingOf(appId, own) ?? null),
    }));
  }
}
