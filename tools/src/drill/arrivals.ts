import type { AcceptedMessage, Simulator } from '../start/simulator';
import type { DrillSystem } from './drill-system';
import type { Received } from './tally';

/** Often enough that the inbox never drops a message that was not read. */
const READ_EVERY_MS = 1_000;
/** The most messages that the simulator shows at a time. */
const MOST_AT_A_TIME = 10_000;

/** Reads what the simulated vendor accepted while the drill runs, because its inbox keeps the newest messages only. */
export class Arrivals {
  readonly #received: Received[] = [];
  readonly #watched: ReadonlySet<string>;
  #lastId = 0;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  /**
   * @param simulator its inbox is not emptied meanwhile
   *
   * @param devices the devices that are watched; others get campaigns too
   */
  constructor(
    private readonly simulator: Pick<Simulator, 'inboxAfter'>,
    devices: DrillSystem['devices'],
  ) {
    this.#watched = new Set(devices.map(({ token }) => token));
  }

  /** Begins to read. */
  begin(): void {
    this.#running = this.#readOn();
    // Whoever waits for the end learns of it.
    this.#running.catch(() => undefined);
  }

  /**
   * Stops reading.
   *
   * @throws Error if messages came faster than they were read
   */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** Returns everything that has come by now, after `end`. @throws Error if messages came faster than they were read */
  async all(): Promise<readonly Received[]> {
    await this.#read();
    return this.#received;
  }

  /** Takes what has come since the last time. @throws Error if some of it is gone */
  async #read(): Promise<void> {
    const messages = await this.simulator.inboxAfter(this.#lastId, MOST_AT_A_TIME);
    const oldest = messages.at(-1);
    if (oldest !== undefined && oldest.id !== this.#lastId + 1) throw new Error('The inbox dropped messages unread.');
    this.#lastId += messages.length;
    for (const message of messages.reverse()) this.#take(message);
  }

  #take({ acceptedAt, token, body }: AcceptedMessage): void {
    const text = /(?:single|campaign) \d+/.exec(body)?.[0] ?? '';
    if (text.startsWith('campaign') && !this.#watched.has(token)) return;
    this.#received.push({ text, token, at: Date.parse(acceptedAt) });
  }

  async #readOn(): Promise<void> {
    while (!this.#isOver) {
      await this.#read();
      await new Promise((later) => setTimeout(later, READ_EVERY_MS));
    }
  }
}
