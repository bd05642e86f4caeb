import type { VendorPayload } from '@postrider/domain';
import type { ClaimedPage, PageDevice, PageKey } from '@postrider/persistence';
import type { createRenderer, Renderer } from '@postrider/rendering';

/** Messages whose renderers are kept: enough for those that run at the same time. */
const KEPT = 64;

/**
 * The renderers of the messages at hand. All pages of a message share one, so that its payload is made, and serialised by
 * the sender, once for a million devices.
 */
export class Renderers {
  readonly #kept = new Map<string, Renderer>();

  constructor(private readonly makeRenderer: typeof createRenderer) {}

  /** The payload of each device of a page. */
  payloadsOf(key: PageKey, page: ClaimedPage): (device: PageDevice) => VendorPayload {
    const renderer = this.#rendererOf(key, page);
    const { vendor } = page;
    return (device) => {
      if (vendor === 'connection') throw new Error('A connection takes no vendor payload');
      return renderer.payloadFor(vendor, device);
    };
  }

  #rendererOf({ appId, messageId }: PageKey, page: ClaimedPage): Renderer {
    const name = `${appId} ${messageId}`;
    const renderer = this.#kept.get(name) ?? this.#create(messageId, page);
    this.#kept.delete(name);
    this.#kept.set(name, renderer);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return renderer;
  }

  #create(id: string, page: ClaimedPage): Renderer {
    const { kind, content, channel, acceptedAt, expiresAt, applicationName: name, defaultAlertText } = page;
    return this.makeRenderer({ id, kind, content, channel, acceptedAt, expiresAt }, { name, defaultAlertText });
  }
}
