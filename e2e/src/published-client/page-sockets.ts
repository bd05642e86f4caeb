import type { Page, WebSocket } from 'playwright-core';

/** First byte and length of a CONNACK of MQTT 3 (3.1.1 §3.2). */
const CONNACK = [0x20, 0x02];
const RETURN_CODE_AT = 3;

interface Tried {
  returnCode: number | null;
  isClosed: boolean;
}

/** The connections that a page tries over WebSocket, and what becomes of each. */
export class PageSockets {
  readonly #tried: Tried[] = [];

  constructor(page: Page) {
    page.on('websocket', (socket) => this.#watch(socket));
  }

  get count(): number {
    return this.#tried.length;
  }

  /** Whether each was let in, refused, or closed. */
  get areAnswered(): boolean {
    return this.#tried.every(({ returnCode, isClosed }) => returnCode !== null || isClosed);
  }

  /** What became of each, the oldest first. */
  get story(): string[] {
    return this.#tried.map(({ returnCode, isClosed }) => {
      const answer = returnCode === null ? 'not answered' : returnCode === 0 ? 'let in' : `refused with ${returnCode}`;
      return `${answer} and ${isClosed ? 'closed' : 'open'}`;
    });
  }

  #watch(socket: WebSocket): void {
    const tried: Tried = { returnCode: null, isClosed: false };
    this.#tried.push(tried);
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string' || CONNACK.some((byte, place) => payload[place] !== byte)) return;
      tried.returnCode ??= payload[RETURN_CODE_AT] ?? null;
    });
    socket.on('close', () => (tried.isClosed = true));
  }
}
