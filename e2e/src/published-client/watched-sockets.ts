import type { BrowserContext, Page } from 'playwright-core';

/** What a page knows of its WebSockets. Runs in the browser. */
interface Watched {
  /** How many were tried. */
  triedSockets: number;
  /** Those that wait for an answer: to their first packet, or to a PINGREQ. */
  waitingSockets: Set<WebSocket>;
  WebSocket: unknown;
}

/**
 * Makes the pages of a browser watch their WebSockets. Only a page itself knows what has reached its script: the browser
 * tells of an answer before that, and on a busy machine a timer of the page may come between.
 */
export async function watchSockets(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const page = globalThis as unknown as Watched;
    page.triedSockets = 0;
    page.waitingSockets = new Set();
    /** The first byte of a PINGREQ (MQTT 3.1.1 §3.12.1). */
    const pingRequest = 0xc0;
    page.WebSocket = class extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols);
        page.triedSockets++;
        page.waitingSockets.add(this);
        for (const event of ['message', 'error', 'close']) {
          this.addEventListener(event, () => page.waitingSockets.delete(this));
        }
      }

      override send(packet: ArrayBuffer | Uint8Array<ArrayBuffer>): void {
        const [first] = new Uint8Array(packet instanceof ArrayBuffer ? packet : packet.slice(0, 1));
        if (first === pingRequest) page.waitingSockets.add(this);
        super.send(packet);
      }
    };
  });
}

/** How many WebSockets a page has tried, and how many of them wait for an answer. */
export function socketsOf(page: Page): Promise<{ tried: number; waiting: number }> {
  return page.evaluate(() => {
    const { triedSockets: tried, waitingSockets } = globalThis as unknown as Watched;
    return { tried, waiting: waitingSockets.size };
  });
}
