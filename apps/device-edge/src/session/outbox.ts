import type { OutgoingDelivery } from './outgoing-delivery';

const LARGEST_PACKET_ID = 65_535;
/** Packet identifiers that a session keeps for its next connection. */
const MOST_KEPT_IDS = 200;

/**
 * The deliveries that wait for one device, in the order of acceptance, and those that it has not acknowledged yet. The
 * outbox holds a limited number of both. The others stay in PostgreSQL and are read when there is room.
 */
export class Outbox {
  readonly #queue: OutgoingDelivery[] = [];
  readonly #inFlight = new Map<number, OutgoingDelivery>();
  readonly #known = new Set<string>();
  /** Sent by an earlier connection of the session and not acknowledged: packet identifiers by message id. */
  readonly #resumed = new Map<string, number>();
  #lastPacketId = 0;
  /**
   * The first message for which there was no room. It and all later ones are read again from PostgreSQL. Null: none.
   */
  #refusedFrom: string | null = null;
  /** True if that read was requested. */
  #isAsked = false;

  /**
   * @param window most messages in flight (MQTT 5 §3.1.2.11.3, Receive Maximum)
   * @param capacity most messages that wait here
   */
  constructor(
    private readonly window: number,
    private readonly capacity: number,
  ) {}

  get waiting(): number {
    return this.#queue.length;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** True if the outbox has a message: it waits, is in flight, or its outcome is not recorded yet. */
  knows(messageId: string): boolean {
    return this.#known.has(messageId);
  }

  /**
   * Adds a delivery at its place in the order of message ids, which is the order of acceptance. If the outbox has it
   * already, it is ignored. After a message found no room, later ones are not accepted either, so that they do not
   * overtake it. Live ones are accepted.
   */
  offer(delivery: OutgoingDelivery): void {
    const { id, isLive } = delivery.message;
    if (this.#known.has(id)) return;
    if (this.#queue.length >= this.capacity || (!isLive && this.#isAfterRefused(id))) {
      if (!isLive) this.refuse(id);
      return;
    }
    let place = this.#queue.length;
    while (place > 0 && (this.#queue[place - 1]?.message.id ?? '') > id) place--;
    this.#queue.splice(place, 0, delivery);
    this.#known.add(id);
  }

  #isAfterRefused(id: string): boolean {
    return this.#refusedFrom !== null && id >= this.#refusedFrom;
  }

  /** True if messages in PostgreSQL must be published before those that are accepted now. */
  get isBehind(): boolean {
    return this.#refusedFrom !== null;
  }

  /** Accepts nothing until the waiting messages were read again: some of them may have to go first. */
  hold(): void {
    this.#refusedFrom = '';
    this.#isAsked = true;
  }

  /** There is no room for this message and the later ones. */
  refuse(fromId: string): void {
    if (this.#refusedFrom === null || fromId < this.#refusedFrom) this.#refusedFrom = fromId;
  }

  /** @returns the message from which to read waiting messages, if there is room again; null: not now */
  askForMore(): string | null {
    if (this.#refusedFrom === null || this.#isAsked || this.#queue.length > this.capacity / 2) return null;
    this.#isAsked = true;
    return this.#refusedFrom;
  }

  /** The waiting messages were read from the refused message on, or from the beginning. */
  answered(): void {
    this.#refusedFrom = null;
    this.#isAsked = false;
  }

  /** The next delivery. One with QoS 0 may be published at once, one with QoS 1 if `hasRoom`. */
  peek(): OutgoingDelivery | undefined {
    return this.#queue[0];
  }

  get hasRoom(): boolean {
    return this.#inFlight.size < this.window && this.#inFlight.size < LARGEST_PACKET_ID;
  }

  /** Removes the next delivery, which needs no acknowledgement. It stays known until `forget`. */
  take(): void {
    this.#queue.shift();
  }

  /**
   * Continues an earlier connection of the session. Messages that were in flight then are sent again with their original
   * identifiers and the DUP flag (MQTT 3.1.1 §4.4.0-1 and §3.3.1-1, MQTT 5 §4.4.0-1). No other message gets these
   * identifiers.
   */
  resume(packetIds: Readonly<Record<string, number>> | null): void {
    for (const [messageId, packetId] of Object.entries(packetIds ?? {})) this.#resumed.set(messageId, packetId);
  }

  /** Moves the next delivery to those in flight. @returns its packet identifier */
  takeInFlight(): { packetId: number; isRepetition: boolean } {
    const delivery = this.#queue.shift();
    const resumed = this.#resumed.get(delivery?.message.id ?? '');
    const packetId = resumed ?? this.#freePacketId();
    if (delivery) {
      this.#inFlight.set(packetId, delivery);
      this.#resumed.delete(delivery.message.id);
    }
    return { packetId, isRepetition: resumed !== undefined };
  }

  #freePacketId(): number {
    do this.#lastPacketId = this.#lastPacketId >= LARGEST_PACKET_ID ? 1 : this.#lastPacketId + 1;
    while (this.#inFlight.has(this.#lastPacketId) || this.#isReserved(this.#lastPacketId));
    return this.#lastPacketId;
  }

  #isReserved(packetId: number): boolean {
    for (const reserved of this.#resumed.values()) if (reserved === packetId) return true;
    return false;
  }

  /** Removes a delivery that was acknowledged. @returns null if none is in flight under this identifier */
  acknowledge(packetId: number): OutgoingDelivery | null {
    const delivery = this.#inFlight.get(packetId) ?? null;
    this.#inFlight.delete(packetId);
    return delivery;
  }

  /** Removes a delivery whose outcome is recorded, or which may be offered again. */
  forget(messageId: string): void {
    this.#known.delete(messageId);
  }

  /** Messages that wait and are not in flight. */
  waitingMessages(): string[] {
    return this.#queue.map(({ message }) => message.id);
  }

  /** Removes waiting messages that were cancelled. */
  drop(messageIds: ReadonlySet<string>): void {
    for (let place = this.#queue.length - 1; place >= 0; place--) {
      const id = this.#queue[place]?.message.id ?? '';
      if (!messageIds.has(id)) continue;
      this.#queue.splice(place, 1);
      this.#known.delete(id);
    }
  }

  /** Messages that are in flight, or must be sent again: packet identifiers by message id. Null: none. */
  inFlightIds(): Record<string, number> | null {
    const ids = new Map(this.#resumed);
    for (const [packetId, { message }] of this.#inFlight) ids.set(message.id, packetId);
    if (ids.size === 0) return null;
    // The newest ones are kept: older messages may have expired by the next connection.
    return Object.fromEntries([...ids].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, MOST_KEPT_IDS));
  }
}
