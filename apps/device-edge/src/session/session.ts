import { generate, type Packet } from 'mqtt-packet';
import { encodePublish } from '../protocol/encode-publish';
import { FrameReader } from '../protocol/frame-reader';
import { PacketRefused } from '../protocol/packet-refused';
import { readConnect, readPacket } from '../protocol/read-packet';
import { type CloseCause, DISCONNECT_CODE, type ProtocolVersion } from '../protocol/reason-codes';
import { handleConnect, refuseProtocol } from './handle-connect';
import { publishTo } from './handle-publish';
import { handlePacket } from './handle-packet';
import { isMeantFor } from './is-meant-for';
import type { OutgoingDelivery } from './outgoing-delivery';
import { Outbox } from './outbox';
import { PacketBudget } from './packet-rate-limiter';
import { part } from './part';
import type { Port, SessionLimits } from './transport';
import { isStillWanted, type SessionIdentity, type SessionServices } from './device-session';
import { type Subscriptions, topicFor } from './subscriptions';
import { subscribeByRegistration } from './subscribe-by-registration';
import type { Will } from './will';
import { WriteAllowance } from './write-buffer-limit';

/** Two clocks: one that only grows, for silences, and the one on the wall, for what expires. Both in milliseconds. */
export interface SessionTime {
  steadyMs(): number;
  wallMs(): number;
}

/** What a CONNECT agreed on. */
export interface Agreement {
  version: ProtocolVersion;
  keepAliveMs: number;
  /** Seconds that the session outlives its connection; null: for ever. */
  expirySeconds: number | null;
  /** Largest packet that the client takes (MQTT 5 §3.1.2.11.4). */
  clientMaxBytes: number;
}

/** A connection that sends nothing may be silent for one and a half keep-alives (MQTT 3.1.1 §3.1.2-24, MQTT 5 §3.1.2-22). */
const KEEP_ALIVE_GRACE = 1.5;
/** What a client must not exceed before it is known (user ids, tokens and a will fit). */
const CONNECT_BYTES = 16_384;
/** What is written together at most. */
const LARGEST_PIECE = 65_536;
const AT_MOST_ONCE = { packetId: 0, isRepetition: false } as const;

/**
 * One MQTT connection, from its first byte to its last: a state machine that knows no socket. Bytes come in through
 * `receive`, deliveries through `offer`, time through `tick`; out go bytes through its `Port` and facts to its
 * `SessionServices`. Packets are worked one after the other, in their order. Whatever comes in, it never throws: a packet
 * that cannot stand ends the connection with the reason.
 */
export class Session {
  readonly subscriptions: Subscriptions = new Map();
  /** Identifiers of QoS 2 publishes that were taken and not released yet (MQTT 3.1.1 §4.3.3). */
  readonly unreleased = new Set<number>();
  agreement: Agreement | null = null;
  identity: SessionIdentity | null = null;
  will: Will | null = null;
  /** Whether it goes on with what an earlier connection left. */
  isResumed = false;
  /** Who said what it hears: nobody yet, its registration, or the client, and be it nothing. */
  heardBy: 'nobody' | 'registration' | 'client' = 'nobody';
  /** When it was let in, by the clock that only grows. */
  openedSinceMs = 0;
  outbox: Outbox;

  #frames = new FrameReader(CONNECT_BYTES);
  #budget: PacketBudget;
  /** What is written together; null: each packet leaves at once. */
  #held: Buffer[] | null = null;
  #heldBytes = 0;
  readonly #allowance: WriteAllowance;
  #isBusy = false;
  #isClosed = false;
  #lastReceivedMs: number;
  /** By the clock on the wall. */
  #openedAtMs = 0;

  constructor(
    private readonly port: Port,
    readonly services: SessionServices,
    readonly limits: SessionLimits,
    readonly time: SessionTime,
  ) {
    this.#lastReceivedMs = this.now();
    this.#allowance = new WriteAllowance(limits.bufferBytes);
    this.#budget = new PacketBudget(limits.packetsPerSecond, this.#lastReceivedMs);
    this.outbox = new Outbox(limits.window, limits.capacity);
  }

  /** Milliseconds that only grow. */
  now(): number {
    return this.time.steadyMs();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Bytes that came in. */
  receive(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#lastReceivedMs = this.now();
    this.#frames.push(bytes);
    this.#together(() => this.#work());
  }

  /** The connection is gone: closed by the device, by the network, or by `close`. */
  gone(cause: string): void {
    if (this.#isClosed) return;
    this.#finish(cause);
  }

  /** Looks at the clock: a connection that never said CONNECT, is silent or does not read for too long, is closed. */
  tick(nowMs: number): void {
    const silentMs = nowMs - this.#lastReceivedMs;
    if (this.agreement === null) {
      if (silentMs > this.limits.connectWithinMs && !this.#isBusy) this.close('keep_alive');
      return;
    }
    if (!this.#isBusy) subscribeByRegistration(this, nowMs);
    const { keepAliveMs } = this.agreement;
    if (this.#allowance.isStuck(this.port.bufferedBytes, nowMs)) this.close('too_slow');
    else if (keepAliveMs > 0 && silentMs > keepAliveMs * KEEP_ALIVE_GRACE && !this.#isBusy) this.close('keep_alive');
  }

  /**
   * Whether a message that waits in the ledger is to be offered: one that is not here already, and for which there is room.
   */
  wants(messageId: string): boolean {
    return !this.#isClosed && this.agreement !== null && !this.outbox.knows(messageId);
  }

  /** A message for the device: it waits until `flow`. */
  offer(delivery: OutgoingDelivery): void {
    if (this.#isClosed || this.identity === null || !isMeantFor(delivery, this.identity, this.#openedAtMs)) return;
    this.outbox.offer(delivery);
  }

  /** Publishes what waits, as far as the window and the socket have room: all of it in one piece. */
  flow(): void {
    this.#together(() => this.#flow());
  }

  #flow(): void {
    while (!this.#isClosed && this.agreement !== null) {
      const delivery = this.outbox.peek();
      if (delivery === undefined) break;
      if (!this.#publish(delivery, this.agreement)) return;
    }
    const moreFrom = this.#isClosed ? null : this.outbox.askForMore();
    if (moreFrom !== null) this.services.wantsInbox(this, moreFrom);
  }

  /** Writes a packet. */
  write(packet: Packet): void {
    this.writeAs(this.agreement?.version ?? 4, packet);
  }

  /** Writes a packet in the form of a version, before one is agreed on. */
  writeAs(version: ProtocolVersion, packet: Packet): void {
    if (this.#isClosed) return;
    this.services.counted(packet.cmd, 'out');
    this.#send(generate(packet, { protocolVersion: version }));
  }

  /** Publishes something that is not in the ledger: QoS 0, kept nowhere; left out while the device is slow to read. */
  publishEvent(topic: string, payload: Buffer): void {
    if (this.#isClosed || this.agreement === null || this.port.bufferedBytes > this.limits.bufferBytes / 2) return;
    this.services.counted('publish', 'out');
    const publish = { topic, qos: 0, isRepetition: false, packetId: 0, payload, secondsLeft: 60 } as const;
    this.#send(encodePublish(publish, this.agreement.version));
  }

  /** Closes the connection, with the reason where the version knows one (MQTT 5 §3.14). */
  close(cause: CloseCause, reason?: string): void {
    if (this.#isClosed) return;
    if (this.agreement?.version === 5 && cause !== 'too_slow') {
      const properties = reason === undefined ? {} : { properties: { reasonString: reason.slice(0, 200) } };
      this.write({ cmd: 'disconnect', reasonCode: DISCONNECT_CODE[cause], ...properties });
    }
    if (cause !== 'too_slow') this.#release();
    if (this.isClosed) return;
    this.#finish(cause);
    part(this.port, cause, this);
  }

  /**
   * Ends the connection after an answer that says why, or because the client said so.
   *
   * @param rests whether it is left open where the client would be back at once
   */
  closeQuietly(cause: string, rests = false): void {
    if (this.#isClosed) return;
    this.#release();
    if (this.isClosed) return;
    this.#finish(cause);
    if (rests) this.port.rest(this.identity);
    else this.port.end();
  }

  /** From here on larger packets are taken: the client is known. */
  open(agreement: Agreement, identity: SessionIdentity, window: number): void {
    this.agreement = agreement;
    this.identity = identity;
    this.#openedAtMs = this.time.wallMs();
    this.openedSinceMs = this.now();
    this.outbox = new Outbox(Math.min(window, this.limits.window), this.limits.capacity);
    this.#frames.allow(this.limits.maxPacketBytes);
  }

  /** @returns whether the next one may follow at once */
  #publish(delivery: OutgoingDelivery, agreement: Agreement): boolean {
    const { message } = delivery;
    const target = this.identity === null ? null : topicFor(message, this.identity, this.subscriptions);
    if (target === null || !isStillWanted(message, this.time.wallMs())) {
      this.outbox.take();
      this.outbox.forget(message.id);
      return true;
    }
    const qos = message.isLive ? 0 : target.qos;
    if (qos === 1 && !this.outbox.hasRoom) return false;
    const bytes = delivery.payload.length + target.topic.length * 3 + 16;
    if (!this.#allowance.takes(bytes, this.port.bufferedBytes + this.#heldBytes)) return false;
    if (bytes > agreement.clientMaxBytes) {
      this.outbox.take();
      this.services.failed(this, delivery, 'too_large', 'The device takes no packet that large');
    } else this.#write(delivery, { topic: target.topic, qos }, agreement.version);
    return true;
  }

  #write(delivery: OutgoingDelivery, { topic, qos }: { topic: string; qos: 0 | 1 }, version: ProtocolVersion): void {
    const { message, payload } = delivery;
    const { packetId, isRepetition } = qos === 1 ? this.outbox.takeInFlight() : AT_MOST_ONCE;
    if (qos === 0) this.outbox.take();
    const secondsLeft = Math.ceil((message.expiresAtMs - this.time.wallMs()) / 1_000);
    this.services.counted('publish', 'out');
    this.#send(encodePublish({ topic, qos, isRepetition, packetId, payload, secondsLeft }, version));
    if (qos === 0) this.services.sent(this, delivery);
  }

  #send(bytes: Buffer): void {
    if (this.#held === null) this.#leave(bytes);
    else {
      this.#held.push(bytes);
      this.#heldBytes += bytes.length;
      if (this.#heldBytes > LARGEST_PIECE) this.#release();
    }
  }

  /** What is written meanwhile leaves in one piece: a system call costs more than all else about a packet. */
  #together(work: () => void): void {
    if (this.#held !== null) {
      work();
      return;
    }
    this.#held = [];
    try {
      work();
    } finally {
      this.#release();
      this.#held = null;
    }
  }

  #release(): void {
    const [first, ...rest] = this.#held?.splice(0) ?? [];
    this.#heldBytes = 0;
    if (first !== undefined) this.#leave(rest.length === 0 ? first : Buffer.concat([first, ...rest]));
  }

  #leave(bytes: Buffer): void {
    this.port.write(bytes);
    if (this.#allowance.isExceeded(this.port.bufferedBytes)) this.close('too_slow');
  }

  /** Works what has come, packet by packet, until one has to be waited for. */
  #work(): void {
    try {
      while (!this.#isBusy && !this.#isClosed) {
        const frame = this.#frames.next();
        if (frame === null) return;
        this.#workOne(frame);
      }
    } catch (error) {
      this.#refuse(error);
    }
  }

  #workOne(frame: Buffer): void {
    const work = this.agreement === null ? this.#begin(frame) : this.#continue(frame, this.agreement.version);
    if (work === undefined) return;
    this.#isBusy = true;
    this.port.pause();
    work
      .catch((error: unknown) => this.#refuse(error))
      .finally(() => {
        this.#isBusy = false;
        if (this.#isClosed) return;
        this.#lastReceivedMs = this.now();
        this.port.resume();
        this.#together(() => this.#work());
      });
  }

  #begin(frame: Buffer): Promise<void> {
    const packet = readConnect(frame);
    this.services.counted(packet.cmd, 'in');
    return handleConnect(this, packet);
  }

  #continue(frame: Buffer, version: ProtocolVersion): Promise<void> | undefined {
    const packet = readPacket(frame, version);
    this.services.counted(packet.cmd, 'in');
    const isExpected = packet.cmd === 'puback' && this.outbox.inFlight > 0;
    if (!isExpected && !this.#budget.take(1, this.now())) throw new PacketRefused('rate_too_high', 'Too many packets');
    return handlePacket(this, packet);
  }

  #refuse(error: unknown): void {
    if (!(error instanceof PacketRefused)) {
      this.close('unavailable');
      return;
    }
    if (this.agreement === null && error.refusal === 'bad_protocol') refuseProtocol(this);
    else this.close(error.refusal, error.message);
  }

  #finish(cause: string): void {
    this.#isClosed = true;
    if (this.identity === null) return;
    if (this.will !== null && cause !== 'shutting_down') void publishTo(this, this.will.on, this.will.payload);
    const expirySeconds = this.agreement?.expirySeconds ?? null;
    this.services.ended(this, {
      cause,
      inFlight: expirySeconds === 0 ? null : this.outbox.inFlightIds(),
      sessionEndsInMs: expirySeconds === null ? null : expirySeconds * 1_000,
    });
  }
}
