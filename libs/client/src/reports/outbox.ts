import { askedWaitMs, backoffMs, type BackoffRange } from '../connection/backoff';
import { Exclusive } from '../events/exclusively';
import type { JsonObject } from '../json';
import type { Registrar } from '../registration/registrar';
import { PostriderError } from '../rest/postrider-error';
import type { RestApi } from '../rest/rest-api';
import type { ClientStorage } from '../storage/client-storage';
import { StoredList } from '../storage/stored-list';

/** The kinds of reports about a message. */
export type ReceiptKind = 'DELIVERED' | 'SHOWN' | 'OPENED' | 'DISMISSED' | 'ACTION_TAKEN';

/** A message, or the known part of it. */
export interface ReportedMessage {
  id: string;
  trackId?: string | null;
}

/** Something to report. `userId`: whose it is; of another user it is not taken. */
export interface Report extends JsonObject {
  key: string;
  userId: string;
  event: JsonObject;
}

/** A receipt. Said twice it is the same. */
export function receiptReport(
  userId: string,
  kind: ReceiptKind,
  { id, trackId = null }: ReportedMessage,
  actionId: string | null,
  now: number,
): Report {
  return {
    key: `${kind} ${id} ${actionId ?? ''}`,
    userId,
    event: {
      type: 1,
      actionType: kind,
      msgId: id,
      ...(trackId === null ? {} : { trackId }),
      ...(actionId === null ? {} : { actionId }),
      actionTs: now,
    },
  };
}

/** The most reports that wait; the oldest are dropped first. */
const MOST_WAITING = 500;
const MOST_AT_ONCE = 100;
const RETRY: BackoffRange = { leastMs: 2_000, mostMs: 5 * 60_000 };

/** The part of the device's registration that sending reports needs. */
export type ReportingDevice = Pick<Registrar, 'with'>;

/**
 * Keeps reports until the service accepted them: through offline times and restarts, bounded, in order. At least once:
 * a receipt may be sent twice and counts once; a tracked event whose answer was lost may count twice.
 */
export class Outbox {
  readonly #waiting: StoredList<Report>;
  readonly #turn: Exclusive;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  constructor(
    private readonly api: RestApi,
    private readonly device: ReportingDevice,
    storage: ClientStorage,
    appId: string,
  ) {
    this.#waiting = new StoredList(storage, `postrider:${appId}:outbox`, MOST_WAITING);
    this.#turn = new Exclusive(`postrider:${appId}:outbox`);
  }

  /** Keeps a report; when this is fulfilled it is safe. What is waiting already is not added again. */
  async add(...reports: Report[]): Promise<void> {
    await this.#waiting.update((before) => {
      const keys = new Set(before.map(({ key }) => key));
      return [...before, ...reports.filter(({ key }) => !keys.has(key))];
    });
  }

  /**
   * Sends what waits. Never throws: what cannot be sent now is tried again later.
   *
   * @returns true if nothing waits any more
   */
  async flush(): Promise<boolean> {
    this.#stopTimer();
    try {
      await this.#turn.run(() => this.#sendAll());
      this.#failures = 0;
      return true;
    } catch (error) {
      this.#failures++;
      this.#tryAgain(Math.max(backoffMs(this.#failures, RETRY), askedWaitMs(error)));
      return false;
    }
  }

  /** Returns how many reports wait. */
  async size(): Promise<number> {
    return (await this.#waiting.read()).length;
  }

  /** Stops trying; what waits stays for the next start. */
  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
  }

  async #sendAll(): Promise<void> {
    let most = MOST_AT_ONCE;
    for (;;) {
      const next = (await this.#waiting.read()).slice(0, most);
      if (next.length === 0) return;
      const taken = await this.device.with(({ installationId, userId }) => this.#send(next, installationId, userId));
      if (taken) await this.#remove(next);
      // One of them is refused: find it, and leave the others alone.
      else if (next.length > 1) most = Math.ceil(next.length / 2);
      else await this.#remove(next);
      if (taken) most = Math.min(most * 2, MOST_AT_ONCE);
    }
  }

  /** @returns true if the service took them; false: one of them is none that it takes */
  async #send(reports: readonly Report[], installationId: string, userId: string): Promise<boolean> {
    // The present user may not report the actions of a former user of the device.
    const own = reports.filter((report) => report.userId === userId);
    if (own.length === 0) return true;
    const eventData: JsonObject[] = own.map(({ event }) => event);
    const body = { userId, installationId, createdAt: Date.now(), eventData };
    try {
      await this.api.call('POST', 'installations/events', { body, outlivesPage: true });
      return true;
    } catch (error) {
      if (error instanceof PostriderError && [400, 403, 413, 422].includes(error.status)) return false;
      throw error;
    }
  }

  async #remove(sent: readonly Report[]): Promise<void> {
    const keys = new Set(sent.map(({ key }) => key));
    await this.#waiting.update((before) => before.filter(({ key }) => !keys.has(key)));
  }

  #tryAgain(delayMs: number): void {
    if (this.#isClosed) return;
    // Two flushes that waited for each other may both have failed.
    this.#stopTimer();
    this.#timer = setTimeout(() => void this.flush(), delayMs);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
