import type { OutgoingDelivery } from './outgoing-delivery';

const LARGEST_PACKET_ID = 65_535;
/** Packet identifiers that a session keeps for its next connection. */
const MOST_KEPT_IDS = 200;

/** What became of a delivery that was offered. */
export type Offer = 'queued' | 'known' | 'full';

/**
 * What waits for one device, in the order of acceptance, and what it has not acknowledged yet. Holds a bounded number of
 * both; the ledger holds the rest.
 */
export class Outbox {
  readonly #queue: OutgoingDelivery[] = [];
  readonly #inFlight = new Map<number, OutgoingDelivery>();
  readonly #known = new Set<string>();
  /** What an earlier connection of the session sent and the device did not acknowledge: packet identifiers by message. */
  readonly #resumed = new Map<string, number>();
  #lastPacketId = 0;
  /** The first message that was refused for want of room: the ledger has it, and what was accepted later; null: none. */
  #refusedFrom: string | null = null;
  /** Whether the ledger was asked for it. */
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

  /** Whether a message is here: it waits, is in flight, or was acknowledged and the ledger does not say so yet. */
  knows(messageId: string): boolean {
    return this.#known.has(messageId);
  }

  /**
   * Puts a delivery in its place: its message id says when it was accepted. One that is here already is left out. What was
   * accepted after a message that found no room does not go before it, unless it is for this moment alone.
   */
  offer(delivery: OutgoingDelivery): Offer {
    const { id, isLive } = delivery.message;
    if (this.#known.has(id)) return 'known';
    if (this.#queue.length >= this.capacity || (!isLive && this.#isAfterRefused(id))) {
      if (!isLive) this.refuse(id);
      return 'full';
    }
    let place = this.#queue.length;
    while (place > 0 && (this.#queue[place - 1]?.message.id ?? '') > id) place--;
    this.#queue.splice(place, 0, delivery);
    this.#known.add(id);
    return 'queued';
  }

  #isAfterRefused(id: string): boolean {
    return this.#refusedFrom !== null && id >= this.#refusedFrom;
  }

  /** Whether the ledger has messages that come before what is accepted now. */
  get isBehind(): boolean {
    return this.#refusedFrom !== null;
  }

  /** Nothing is taken until the ledger has been read anew: what it has may have to come first. */
  hold(): void {
    this.#refusedFrom = '';
    this.#isAsked = true;
  }

  /** From this message on the ledger has more than there is room for. */
  refuse(fromId: string): void {
    if (this.#refusedFrom === null || fromId < this.#refusedFrom) this.#refusedFrom = fromId;
  }

  /** @returns from which message on the ledger is to be asked, once there is room again; null: not now */
  askForMore(): string | null {
    if (this.#refusedFrom === null || this.#isAsked || this.#queue.length > this.capacity / 2) return null;
    this.#isAsked = true;
    return this.#refusedFrom;
  }

  /** The ledger was read from what was refused on, or from the beginning. */
  answered(): void {
    this.#refusedFrom = null;
    this.#isAsked = false;
  }

  /** The delivery that is next, if it may go now: one of QoS 0 always may, one of QoS 1 when the window has room. */
  peek(): OutgoingDelivery | undefined {
    return this.#queue[0];
  }

  get hasRoom(): boolean {
    return this.#inFlight.size < this.window && this.#inFlight.size < LARGEST_PACKET_ID;
  }

  /** Takes the next delivery as one that needs no acknowledgement. It stays known until `forget`. */
  take(): void {
    this.#queue.shift();
  }

  /**
   * What is in it was in flight when an earlier connection of the session ended. It goes out under its original identifier,
   * and only that is a repetition (MQTT 3.1.1 §4.4.0-1 and §3.3.1-1, MQTT 5 §4.4.0-1); nothing else goes under that
   * identifier.
   */
  resume(packetIds: Readonly<Record<string, number>> | null): void {
    for (const [messageId, packetId] of Object.entries(packetIds ?? {})) this.#resumed.set(messageId, packetId);
  }

  /** Takes the next delivery as one in flight. @returns the packet identifier that it goes under */
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

  /** Ends a delivery's flight. @returns null for an identifier that nothing is in flight under */
  acknowledge(packetId: number): OutgoingDelivery | null {
    const delivery = this.#inFlight.get(packetId) ?? null;
    this.#inFlight.delete(packetId);
    return delivery;
  }

  /** The ledger knows what became of it, or it is to be offered again. */
  forget(messageId: string): void {
    this.#known.delete(messageId);
  }

  /** Messages that wait here and are not on their way. */
  waitingMessages(): string[] {
    return this.#queue.map(({ message }) => message.id);
  }

  /** Removes what waits here of these messages: they were cancelled. */
  drop(messageIds: ReadonlySet<string>): void {
    for (let place = this.#queue.length - 1; place >= 0; place--) {
      const id = this.#queue[place]?.message.id ?? '';
      if (!messageIds.has(id)) continue;
      this.#queue.splice(place, 1);
      this.#known.delete(id);
    }
  }

  /** What is in flight, or still to be sent again, when the connection ends: packet identifiers by message; null: nothing. */
  inFlightIds(): Record<string, number> | null {
    const ids = new Map(this.#resumed);
    for (const [packetId, { message }] of this.#inFlight) ids.set(message.id, packetId);
    if (ids.size === 0) return null;
    // What expired meanwhile never comes again: the newest ones count.
    return Object.fromEntries([...ids].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, MOST_KEPT_IDS));
  }
}
