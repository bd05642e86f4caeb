/** The simulator's counts for one vendor. */
interface VendorCounts {
  accepted: number;
  /** Requests that only asked if they would be accepted. */
  rehearsed: number;
  refused: Record<string, number>;
  faults: Record<string, number>;
}

/** A message that a vendor accepted. */
export interface AcceptedMessage {
  /** Counts up over all vendors. */
  id: number;
  acceptedAt: string;
  token: string;
  body: string;
}

/** Calls the control API of the vendor simulator, and reads its inbox. */
export class Simulator {
  constructor(private readonly url: string) {}

  /** Forgets messages and counts. */
  async clear(): Promise<void> {
    await this.#call('/inbox', 'DELETE');
  }

  /** Forgets messages, counts and faults. */
  async reset(): Promise<void> {
    await this.clear();
    await this.#call('/faults', 'DELETE');
  }

  async configure(settings: Record<string, number>): Promise<void> {
    await this.#call('/settings', 'PUT', settings);
  }

  /** Replaces all faults by these faults of FCM. */
  async setFaults(...rules: { match?: Record<string, unknown>; fault: Record<string, unknown> }[]): Promise<void> {
    const ofFcm = rules.map((rule) => ({ vendor: 'fcm', ...rule }));
    await this.#call('/faults', 'PUT', ofFcm);
  }

  /** Every token that FCM took a message for, and how often. */
  async tokens(): Promise<Map<string, number>> {
    const text = await (await this.#call('/tokens?vendor=fcm')).text();
    const lines = text.split('\n').filter((line) => line !== '');
    return new Map(lines.map((line) => JSON.parse(line) as [string, number]));
  }

  /** Returns the messages that vendors accepted after the one with this id, newest first, at most `most` of them. */
  async inboxAfter(id: number, most: number): Promise<AcceptedMessage[]> {
    const answer = await this.#call(`/inbox?after=${id}&limit=${most}`);
    return (await answer.json()) as AcceptedMessage[];
  }

  /** Returns the messages that FCM accepted for a token, newest first. */
  async inboxOf(token: string): Promise<{ acceptedAt: string; body: string }[]> {
    const answer = await this.#call(`/inbox?vendor=fcm&limit=1000&token=${encodeURIComponent(token)}`);
    return (await answer.json()) as { acceptedAt: string; body: string }[];
  }

  /**
   * Returns when the vendors accepted their messages, at most `most` of them, in milliseconds of the simulator's clock,
   * in order.
   */
  async arrivals(most: number): Promise<{ at: number; token: string }[]> {
    const answer = await this.#call(`/inbox?limit=${most}`);
    const messages = (await answer.json()) as { acceptedAt: string; token: string }[];
    return messages.map(({ acceptedAt, token }) => ({ at: Date.parse(acceptedAt), token })).reverse();
  }

  /** Sets the behaviour of the simulated phones. */
  async setPhones(settings: object): Promise<void> {
    await this.#call('/phones', 'PUT', settings);
  }

  /** Reports what a phone's user did with a message. */
  async tap(tapped: { id: number; kind: string }): Promise<void> {
    await this.#call('/taps', 'PUT', tapped);
  }

  /** Returns how many messages FCM accepted, refused, and lost. */
  async counts(): Promise<VendorCounts> {
    const stats = (await (await this.#call('/stats')).json()) as { fcm?: VendorCounts };
    return stats.fcm ?? { accepted: 0, rehearsed: 0, refused: {}, faults: {} };
  }

  async #call(path: string, method = 'GET', body?: unknown): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}
