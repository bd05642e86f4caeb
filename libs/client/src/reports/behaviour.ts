import type { JsonValue } from '../json';
import { newUuid } from '../registration/new-uuid';
import type { Registrar } from '../registration/registrar';
import type { Outbox } from './outbox';

const LARGEST_DATA = 16_384;

/**
 * Tracks what the user does. `data` may hold `value` (of which the service keeps the last and the sum), or `revenue` and
 * `currency`: a conversion of the message that was opened last.
 */
export class Behaviour {
  #latest = 0;

  constructor(
    private readonly registrar: Registrar,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Fulfilled as soon as the event is kept; it is sent at once or when the service can be reached again.
   *
   * @throws TypeError for a name that is none, or data of more than 16 KiB
   */
  async track(name: string, data: JsonValue = {}): Promise<void> {
    if (name.trim() === '' || name.length > 255) throw new TypeError('The name must be 1 to 255 characters');
    if (JSON.stringify(data).length > LARGEST_DATA) throw new TypeError('The data must not exceed 16 KiB');
    const { userId } = await this.registrar.registered();
    const event = { type: 2, eventName: name, data, createdAt: this.#moment() };
    await this.outbox.add({ key: newUuid(), userId, event });
    void this.outbox.flush();
  }

  /** Now, but later than any event before: the service takes events that are alike, their time included, for one. */
  #moment(): number {
    this.#latest = Math.max(Date.now(), this.#latest + 1);
    return this.#latest;
  }

  /** Tells that a link was opened that a message led to. */
  async linkOpened(link: string, messageId: string | null = null): Promise<void> {
    const { userId } = await this.registrar.registered();
    const event = { type: 3, link, actionTs: Date.now(), ...(messageId === null ? {} : { msgId: messageId }) };
    await this.outbox.add({ key: newUuid(), userId, event });
    void this.outbox.flush();
  }
}
