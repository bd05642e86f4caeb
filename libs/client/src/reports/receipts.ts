import type { Registrar } from '../registration/registrar';
import type { Outbox } from './outbox';
import { receiptReport, type ReceiptKind, type ReportedMessage } from './report';

/**
 * Tells what became of messages on this device. Fulfilled as soon as the report is kept; it is sent at once or when the service
 * can be reached again. The same said twice is the same.
 */
export class Receipts {
  constructor(
    private readonly registrar: Registrar,
    private readonly outbox: Outbox,
  ) {}

  /** The device has the message, which came by vendor push. Over the connection this is known by itself. */
  delivered(message: ReportedMessage): Promise<void> {
    return this.#report('DELIVERED', message);
  }

  /** A person could see it. */
  shown(message: ReportedMessage): Promise<void> {
    return this.#report('SHOWN', message);
  }

  opened(message: ReportedMessage): Promise<void> {
    return this.#report('OPENED', message);
  }

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
