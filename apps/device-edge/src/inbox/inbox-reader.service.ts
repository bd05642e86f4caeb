import { Inject, Injectable } from '@nestjs/common';
import {
  DATABASE,
  type Database,
  findWaitingOnEdge,
  type ReadInboxes,
  readInboxes,
  type WaitingMessage,
} from '@postrider/persistence';
import { LOGGER, type Logger, Shutdown } from '@postrider/platform';
import type { Session } from '../session/session';
import { deviceKey } from '../ledger/device-key';
import { EDGE_ID } from '../presence/edge-id';
import { InboxDelivering, type ReadyMessage } from './inbox-delivery.service';
import { KnownMessages } from '../ledger/known-messages.service';

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
  /** From which message on each device's inbox is asked for. */
  readonly #asking = new Map<Session, string>();
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

  /** The inbox of a device is asked for: all of it, or what stands in it from a message on. */
  ask(session: Session, fromId = FIRST_ID): void {
    const asked = this.#asking.get(session);
    if (asked === undefined || fromId < asked) this.#asking.set(session, fromId);
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
    const hinted = takeSome(this.#hinted, HINTS_AT_ONCE, (id) => this.#hinted.delete(id));
    if (hinted.length === 0 || !this.delivering.hasDevices) return;
    await this.#round(true, () => findWaitingOnEdge(this.database, this.edgeId, { messageIds: hinted }, ROWS_AT_ONCE));
  }

  async #readAsking(): Promise<void> {
    const asking = takeSome(this.#asking, DEVICES_AT_ONCE, ([session]) => this.#asking.delete(session));
    const devices = asking.flatMap(([{ identity, isClosed }, fromId]) =>
      identity === null || isClosed ? [] : { ...keyOf(identity), fromId },
    );
    if (devices.length === 0) return;
    try {
      await this.delivering.keepUnsent(devices.filter(({ fromId }) => fromId === FIRST_ID));
      let cuts: ReadInboxes['cuts'] = [];
      await this.#round(false, async () => {
        const read = await readInboxes(this.database, devices, ROWS_A_DEVICE);
        for (const [{ outbox }] of asking) outbox.answered();
        ({ cuts } = read);
        return read.waiting;
      });
      const lastIds = new Map(cuts.map(({ appId, deviceId, lastId }) => [deviceKey(appId, deviceId), lastId]));
      for (const [session] of asking) {
        const lastId = session.identity && lastIds.get(deviceKey(session.identity.appId, session.identity.deviceId));
        if (!lastId) continue;
        session.outbox.refuse(lastId);
        session.flow();
      }
    } catch (error) {
      for (const [session, fromId] of asking) this.ask(session, fromId);
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
    const beganAtMs = performance.now();
    const settledBefore = this.delivering.settled.startReading();
    const waiting = await read();
    const wanted = waiting
      .map((one) => this.delivering.select(one, isForNow ? beganAtMs : null))
      .filter(({ devices }) => devices.length > 0);
    if (wanted.length > 0) {
      const messages = await this.messages.of(wanted.map(({ waiting: one }) => one));
      const ready = wanted.flatMap((one) => {
        const message = messages.get(one.waiting.messageId);
        // What is meant for this moment is not for whoever comes a moment later.
        return message && (isForNow || !message.outgoing.isLive) ? [{ message, wanted: one }] : [];
      });
      await this.delivering.withdrawFromFormerOwners(ready);
      if (isForNow) this.#askForNewcomers(ready);
      await this.delivering.deliver(ready);
    }
    this.delivering.settled.endReading(settledBefore);
  }

  /**
   * A send that was being accepted while a device connected may not have seen its connection: it waits in the inbox, which
   * was read without it. So what comes for a device in its first seconds comes out of its inbox, in order.
   */
  #askForNewcomers(ready: readonly ReadyMessage[]): void {
    const newSinceMs = performance.now() - NEWCOMER_MS;
    for (const { message, wanted } of ready) {
      if (message.outgoing.isLive) continue;
      wanted.devices = wanted.devices.filter(({ session }) => {
        if (session.openedSinceMs < newSinceMs || session.outbox.isBehind) return true;
        this.ask(session);
        return false;
      });
    }
  }
}

/** Below every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Within this time after a device connected, it may have missed what was accepted before what is accepted now. */
const NEWCOMER_MS = 10_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function keyOf({ appId, deviceId }: { appId: string; deviceId: string }): { appId: string; deviceId: string } {
  return { appId, deviceId };
}

function takeSome<T>(from: Iterable<T>, most: number, remove: (one: T) => void): T[] {
  const taken: T[] = [];
  for (const one of from) {
    if (taken.length >= most) break;
    taken.push(one);
    remove(one);
  }
  return taken;
}
