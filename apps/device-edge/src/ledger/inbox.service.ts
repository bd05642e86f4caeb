import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, findWaitingOnEdge, readInboxes, type WaitingMessage } from '@postrider/persistence';
import { LOGGER, type Logger, Shutdown } from '@postrider/platform';
import type { Session } from '../session/session';
import { EDGE_ID } from './edge-identity';
import { InboxDelivering } from './inbox-delivering.service';
import { KnownMessages } from './known-messages.service';

/** What one statement gives at most. */
const ROWS_AT_ONCE = 20_000;
const DEVICES_AT_ONCE = 500;
const ROWS_A_DEVICE = 200;
const HINTS_AT_ONCE = 1_000;

/**
 * Brings what waits in the ledger to the connections of this edge. One reader: whatever is asked for while it reads (a hint
 * that messages came, a device that connected, the turn of the clock) goes together in the next round, one statement for
 * each kind.
 */
@Injectable()
export class Inbox {
  readonly #hinted = new Set<string>();
  readonly #asking = new Set<Session>();
  #isSweepDue = false;
  #isReading = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(EDGE_ID) private readonly edgeId: string,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
    private readonly delivering: InboxDelivering,
    private readonly messages: KnownMessages,
  ) {}

  /** Messages were accepted for devices that are connected here. */
  hint(messageIds: readonly string[]): void {
    // Too many to name: the sweep reads them all.
    if (this.#hinted.size + messageIds.length > 10 * HINTS_AT_ONCE) this.#isSweepDue = true;
    else for (const id of messageIds) if (UUID.test(id)) this.#hinted.add(id);
    this.#call();
  }

  /** The whole inbox of a device is asked for. */
  ask(session: Session): void {
    this.#asking.add(session);
    this.#call();
  }

  /** Everything that was routed here and is not acknowledged. */
  sweep(): void {
    this.#isSweepDue = true;
    this.#call();
  }

  #call(): void {
    if (this.#isReading || this.shutdown.isShuttingDown) return;
    this.#isReading = true;
    setImmediate(() => void this.#read());
  }

  async #read(): Promise<void> {
    try {
      while (!this.shutdown.isShuttingDown && (this.#hinted.size > 0 || this.#asking.size > 0 || this.#isSweepDue)) {
        await this.#readHinted();
        await this.#readAsking();
        await this.#readAll();
      }
    } catch (error) {
      // The next turn of the clock reads what this one did not; devices that asked, ask again when they connect.
      this.logger.warn({ err: error }, 'inbox.not-read');
    }
    this.#isReading = false;
  }

  async #readHinted(): Promise<void> {
    const hinted = takeSome(this.#hinted, HINTS_AT_ONCE);
    if (hinted.length === 0 || !this.delivering.hasDevices) return;
    await this.#round(true, () => findWaitingOnEdge(this.database, this.edgeId, { messageIds: hinted }, ROWS_AT_ONCE));
  }

  async #readAsking(): Promise<void> {
    const asking = takeSome(this.#asking, DEVICES_AT_ONCE).filter(({ isClosed }) => !isClosed);
    const devices = asking.flatMap(({ identity }) => identity ?? []);
    if (devices.length === 0) return;
    try {
      await this.#round(false, () => readInboxes(this.database, devices, ROWS_A_DEVICE));
    } catch (error) {
      for (const session of asking) this.#asking.add(session);
      throw error;
    }
  }

  async #readAll(): Promise<void> {
    if (!this.#isSweepDue) return;
    this.#isSweepDue = false;
    if (!this.delivering.hasDevices) return;
    const { knownPageIds } = this.delivering;
    await this.#round(true, () => findWaitingOnEdge(this.database, this.edgeId, { knownPageIds }, ROWS_AT_ONCE));
  }

  /** @param isForNow what was routed to this edge, whole pages of it; else what single devices have not got */
  async #round(isForNow: boolean, read: () => Promise<WaitingMessage[]>): Promise<void> {
    const settledBefore = this.delivering.settled.startReading();
    const waiting = await read();
    const wanted = waiting
      .map((one) => this.delivering.select(one, isForNow))
      .filter(({ sessions }) => sessions.length > 0);
    if (wanted.length > 0) {
      const messages = await this.messages.of(wanted.map(({ waiting: one }) => one));
      const ready = wanted.flatMap((one) => {
        const message = messages.get(one.waiting.messageId);
        // What is meant for this moment is not for whoever comes a moment later.
        return message && (isForNow || !message.outgoing.isLive) ? [{ message, wanted: one }] : [];
      });
      await this.delivering.deliver(ready);
    }
    this.delivering.settled.endReading(settledBefore);
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function takeSome<T>(from: Set<T>, most: number): T[] {
  const taken: T[] = [];
  for (const one of from) {
    if (taken.length >= most) break;
    taken.push(one);
    from.delete(one);
  }
  return taken;
}
