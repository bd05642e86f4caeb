import { randomUUID } from 'node:crypto';
import { type Api, ApiRefusal } from '../start/api';
import type { DrillSystem } from './drill-system';
import type { Sent } from './tally';

const TRY_AGAIN_AFTER_MS = 200;
/** Refusals that are temporary: a slow body, a request that still runs, a slow PostgreSQL, too many requests. */
const PASSING = [408, 409, 422, 429];

/** Sends messages, each with a text of its own, as a backend does: it asks the next gateway until one has accepted. */
export class Load {
  readonly sent: Sent[] = [];
  /** Rejects when a gateway refuses a message that it would refuse again: the drill itself is wrong then. */
  readonly refused: Promise<never>;
  #refuse: (refusal: unknown) => void = () => undefined;
  #isRefused = false;
  #isOver = false;
  #number = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(private readonly drill: Pick<DrillSystem, 'devices' | 'gateways'>) {
    this.refused = new Promise((_, reject) => (this.#refuse = reject));
    this.refused.catch(() => (this.#isRefused = true));
  }

  /** Begins to send `aSecond` messages a second to one user each, and every `campaignEveryMs` a campaign to all. */
  begin(aSecond: number, campaignEveryMs: number): void {
    this.#running = Promise.all([
      this.#repeat(1_000 / aSecond, () => this.#sendToOne()),
      this.#repeat(campaignEveryMs, () => this.#sendToAll()),
    ]);
  }

  /**
   * Stops sending, and waits for the last answer.
   *
   * @throws if a message was refused
   */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.race([this.#running, this.refused]);
  }

  async #repeat(everyMs: number, send: () => Promise<void>): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    while (!this.#isOver) {
      const one = send().catch(this.#refuse).finally(() => inFlight.delete(one)); // prettier-ignore
      inFlight.add(one);
      await new Promise((later) => setTimeout(later, everyMs));
    }
    await Promise.all(inFlight);
  }

  async #sendToOne(): Promise<void> {
    const number = ++this.#number;
    const device = this.drill.devices[number % this.drill.devices.length];
    if (device === undefined) return;
    const text = `single ${number}`;
    const at = await this.#accept('/api/push/toUsers', { user: device.user, content: text });
    this.sent.push({ text, token: device.token, at });
  }

  async #sendToAll(): Promise<void> {
    const text = `campaign ${++this.#number}`;
    const at = await this.#accept('/api/push/byQuery', { target: { deviceType: 'android' }, content: text });
    // A user with several devices gets it too, and is not watched (`Arrivals`).
    for (const { token } of this.drill.devices) this.sent.push({ text, token, at });
  }

  /**
   * @returns when a gateway had accepted it
   *
   * @throws ApiRefusal if no gateway accepts it
   */
  async #accept(path: string, body: object): Promise<number> {
    const key = randomUUID();
    for (let attempt = 0; ; attempt++) {
      const gateway = this.drill.gateways[attempt % this.drill.gateways.length] as Api;
      try {
        await gateway.call('POST', path, { ...body, useAsAlert: true }, { 'idempotency-key': key });
        return Date.now();
      } catch (error) {
        if (this.#isRefused || isFinal(error)) throw error;
        await new Promise((later) => setTimeout(later, TRY_AGAIN_AFTER_MS));
      }
    }
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof ApiRefusal && error.status < 500 && !PASSING.includes(error.status);
}
