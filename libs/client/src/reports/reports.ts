import type { Registrar } from '../registration/registrar';
import { type Outbox, receiptReport, type ReceiptKind, type ReportedMessage } from './outbox';
import type { JsonValue } from '../json';
import { newUuid } from '../registration/installation-state';

/**
 * Reports what happened to messages on this device. A call is fulfilled when the report is stored. The report is sent
 * at once, or when the service can be reached again. Repeated reports count once.
 */
export class Receipts {
  constructor(
    private readonly registrar: Registrar,
    private readonly outbox: Outbox,
  ) {}

  /** The device got the message by vendor push. Messages over the connection are acknowledged automatically. */
  delivered(message: ReportedMessage): Promise<void> {
    return this.#report('DELIVERED', message);
  }

  /** The notification was shown. */
  shown(message: ReportedMessage): Promise<void> {
    return this.#report('SHOWN', message);
  }

  /** The user opened the notification. */
  opened(message: ReportedMessage): Promise<void> {
    return this.#report('OPENED', message);
  }

  /** The user dismissed the notification. */
  dismissed(message: ReportedMessage): Promise<void> {
    return this.#report('DISMISSED', message);
  }

  /** @param actionId the `id` of the button that was pressed */
  actionTaken(message: ReportedMessage, actionId: string): Promise<void> {
    return this.#report('ACTION_TAKEN', message, actionId);
  }

  async #report(kind: ReceiptKind, message: ReportedMessage, actionId: string | null = null): Promise<void> {
    const { userId } = await this.registrar.registered();
    await this.outbox.add(receiptReport(userId, kind, message, actionId, Date.now()));
    void this.outbox.flush();
  }
}

const LARGEST_DATA = 16_384;

/**
 * Tracks actions of the user. `data` may hold `value` (the service keeps the last one and the sum), or `revenue` and
 * `currency`: a conversion of the message that was opened last.
 */
export class Behaviour {
  #latest = 0;

  constructor(
    private readonly registrar: Registrar,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The call is fulfilled when the event is stored. The event is sent at once, or when the service can be reached again.
   *
   * @throws TypeError if the name is not valid, or the data has more than 16 KiB
   */
  async track(name: string, data: JsonValue = {}): Promise<void> {
    if (name.trim() === '' || Array.from(name).length > 255)
      throw new TypeError('The name must be 1 to 255 characters');
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

  /** Reports that a link of a message was opened. */
  async linkOpened(link: string, messageId: string | null = null): Promise<void> {
    const { userId } = await this.registrar.registered();
    const event = { type: 3, link, actionTs: Date.now(), ...(messageId === null ? {} : { msgId: messageId }) };
    await this.outbox.add({ key: newUuid(), userId, event });
    void this.outbox.flush();
  }
}
