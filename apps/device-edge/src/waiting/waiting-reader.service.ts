import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, isUuid } from '@postrider/domain';
import {
  OutageWarning,
  type ReadWaiting,
  WaitingDeliveriesRepository,
  type WaitingMessage,
} from '@postrider/persistence';
import { LOGGER, type Logger, Shutdown } from '@postrider/platform';
import { EDGE_ID } from '../runtime/edge-id';
import { deviceKey, type DeviceSession } from '../session/device-session';
import { WaitingPublisher, type ReadyMessage } from './waiting-publisher.service';
import { MessageCache } from './message-cache.service';

/** The most rows that one statement returns. */
const ROWS_AT_ONCE = 20_000;
const DEVICES_AT_ONCE = 500;
const ROWS_A_DEVICE = 200;
const HINTS_AT_ONCE = 1_000;
/** Smaller than every message id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** A message accepted within this time after a device connected may have been routed without knowing the connection. */
const NEWLY_CONNECTED_MS = 10_000;

/**
 * Reads the deliveries that wait in PostgreSQL for devices connected to this edge, and delivers them. There is one read
 * at a time. Requests that arrive meanwhile (hints, devices that connected, the request for everything once a second) are combined: the next
 * read has one statement for each kind.
 */
@Injectable()
export class WaitingReader {
  readonly #hinted = new Set<string>();
  /** The devices whose waiting deliveries are requested, and the message that each is read from. */
  readonly #requested = new Map<DeviceSession, string>();
  readonly #notRead: OutageWarning;
  #isAllRequested = false;
  #isReading = false;

  constructor(
    @Inject(EDGE_ID) private readonly edgeId: string,
    @Inject(LOGGER) logger: Logger,
    private readonly shutdown: Shutdown,
    private readonly delivery: WaitingPublisher,
    private readonly messages: MessageCache,
    private readonly waiting: WaitingDeliveriesRepository,
  ) {
    this.#notRead = new OutageWarning(logger, 'waiting.not-read');
  }

  /** Requests the deliveries of messages that were accepted for devices connected to this edge. */
  hint(messageIds: readonly string[]): void {
    // Too many hints: everything is read.
    if (this.#hinted.size + messageIds.length > 10 * HINTS_AT_ONCE) this.#isAllRequested = true;
    else for (const id of messageIds) if (isUuid(id)) this.#hinted.add(id);
    this.#start();
  }

  /** Requests what waits for a device: all of it, or the messages from `fromId` on. */
  request(session: DeviceSession, fromId = FIRST_ID): void {
    const requestedFrom = this.#requested.get(session);
    if (requestedFrom === undefined || fromId < requestedFrom) this.#requested.set(session, fromId);
    this.#start();
  }

  /** Requests everything that was routed to this edge and is not acknowledged. */
  requestAll(): void {
    this.#isAllRequested = true;
    this.#start();
  }

  #start(): void {
    if (this.#isReading || this.shutdown.isShuttingDown) return;
    this.#isReading = true;
    setImmediate(() => void this.#read());
  }

  async #read(): Promise<void> {
    try {
      while (
        !this.shutdown.isShuttingDown &&
        (this.#hinted.size > 0 || this.#requested.size > 0 || this.#isAllRequested)
      ) {
        await this.#readHinted();
        await this.#readRequested();
        await this.#readAll();
      }
    } catch (error) {
      // The next read of everything, within a second or two, reads what this one did not. Requests stay.
      this.#notRead.log(error);
    }
    this.#isReading = false;
  }

  async #readHinted(): Promise<void> {
    const hinted = takeSome(this.#hinted, HINTS_AT_ONCE, (id) => this.#hinted.delete(id));
    if (hinted.length === 0 || !this.delivery.hasDevices) return;
    await this.#readAndDeliver(true, () => this.waiting.findOnEdge(this.edgeId, { messageIds: hinted }, ROWS_AT_ONCE));
  }

  async #readRequested(): Promise<void> {
    const requested = takeSome(this.#requested, DEVICES_AT_ONCE, ([session]) => this.#requested.delete(session));
    const devices = requested.flatMap(([{ identity, isClosed }, fromId]) =>
      identity === null || isClosed ? [] : { ...keyOf(identity), fromId },
    );
    if (devices.length === 0) return;
    try {
      await this.delivery.keepUnsent(devices.filter(({ fromId }) => fromId === FIRST_ID));
      let cuts: ReadWaiting['cuts'] = [];
      await this.#readAndDeliver(false, async () => {
        const read = await this.waiting.readWaiting(devices, ROWS_A_DEVICE);
        for (const [{ outbox }] of requested) outbox.answered();
        ({ cuts } = read);
        return read.waiting;
      });
      const lastIds = new Map(cuts.map(({ appId, deviceId, lastId }) => [deviceKey(appId, deviceId), lastId]));
      for (const [session] of requested) {
        const lastId = session.identity && lastIds.get(deviceKey(session.identity.appId, session.identity.deviceId));
        if (!lastId) continue;
        session.outbox.refuse(lastId);
        session.flush();
      }
    } catch (error) {
      for (const [session, fromId] of requested) this.request(session, fromId);
      throw error;
    }
  }

  async #readAll(): Promise<void> {
    if (!this.#isAllRequested) return;
    this.#isAllRequested = false;
    if (!this.delivery.hasDevices) return;
    const { knownPageIds } = this.delivery;
    await this.#readAndDeliver(true, () => this.waiting.findOnEdge(this.edgeId, { knownPageIds }, ROWS_AT_ONCE));
  }

  /**
   * Reads deliveries and delivers them.
   *
   * @param isRouted true if `read` returns whole pages that were routed to this edge; false if it returns what waits
   * for single devices
   */
  async #readAndDeliver(isRouted: boolean, read: () => Promise<WaitingMessage[]>): Promise<void> {
    const beganAtMs = performance.now();
    const settledBefore = this.delivery.settled.startReading();
    const waiting = await read();
    const wanted = waiting
      .map((one) => this.delivery.select(one, isRouted ? beganAtMs : null))
      .filter(({ devices }) => devices.length > 0);
    if (wanted.length > 0) {
      const messages = await this.messages.find(wanted.map(({ waiting: one }) => one));
      const ready = wanted.flatMap((one) => {
        const message = messages.get(one.waiting.messageId);
        // A live message is not for a device that connected later.
        return message && (isRouted || !message.outgoing.isLive) ? [{ message, wanted: one }] : [];
      });
      await this.delivery.skipChangedOwners(ready);
      if (isRouted) this.#requestNewlyConnected(ready);
      await this.delivery.deliver(ready);
    }
    this.delivery.settled.endReading(settledBefore);
  }

  /**
   * A send that was accepted while a device connected may not have seen the connection. Then its delivery waits, but
   * came after the waiting deliveries were read. To keep the order, deliveries to a device in its first seconds are
   * read as waiting ones.
   */
  #requestNewlyConnected(ready: readonly ReadyMessage[]): void {
    const newSinceMs = performance.now() - NEWLY_CONNECTED_MS;
    for (const { message, wanted } of ready) {
      if (message.outgoing.isLive) continue;
      wanted.devices = wanted.devices.filter(({ session }) => {
        if (session.openedSinceMs < newSinceMs || session.outbox.isBehind) return true;
        this.request(session);
        return false;
      });
    }
  }
}

function keyOf({ appId, deviceId }: { appId: string; deviceId: DeviceId }): { appId: string; deviceId: DeviceId } {
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
