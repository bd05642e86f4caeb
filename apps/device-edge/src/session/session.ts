import { generate, type Packet } from 'mqtt-packet';
import { encodePublish, publishBytes } from '../protocol/encode-publish';
import { FrameReader } from '../protocol/frame-reader';
import { costOf, readConnect, readPacket } from '../protocol/read-packet';
import { type CloseCause, DISCONNECT_CODE, PacketRefused, type ProtocolVersion } from '../protocol/reason-codes';
import { topicFor } from '../protocol/topics';
import { type Agreement, asAgreed, leftBehind, type SessionIdentity, type SessionServices } from './device-session';
import { handleConnect, refuseLate, refuseProtocol } from './handle-connect';
import { handlePacket } from './handle-packet';
import { publishWill } from './handle-publish';
import { subscribeByRegistration } from './handle-subscribe';
import type { LingeringClient } from './lingering-connections';
import { Outbox } from './outbox';
import { isMeantFor, isStillWanted, type OutgoingDelivery } from './outgoing-delivery';
import { PacketRateLimiter } from './packet-rate-limiter';
import type { PacketCounter, PacketSession, SessionClock, SessionLimits, Will } from './packet-session';
import type { Transport } from './transport';
import { UnreleasedPublishes } from './unreleased-publishes';
import { WriteBufferLimit } from './write-buffer-limit';
import { WriteCollector } from './write-collector';

/**
 * A connection that sends nothing may be silent for one and a half keep-alives (MQTT 3.1.1 §3.1.2-24, MQTT 5
 * §3.1.2-22).
 */
const KEEP_ALIVE_GRACE = 1.5;
/** Largest packet before the client is admitted: user ids, access tokens and a will fit. */
const CONNECT_BYTES = 16_384;
const TOO_LARGE = { state: 'failed', errorCode: 'too_large', reason: 'The device takes no packet that large' } as const;
const AT_MOST_ONCE = { packetId: 0, isRepetition: false } as const;

/**
 * One MQTT connection, from its first byte to its last: a state machine without I/O. Input: bytes (`receive`),
 * deliveries (`offer`) and time (`tick`). Output: bytes to its `Transport`, and calls of its `SessionServices`. Packets are
 * processed one after the other, in their order. It never throws: a bad packet ends the connection with the reason.
 */
export class Session implements PacketSession {
  readonly subscriptions = new Map<string, 0 | 1>();
  readonly unreleased = new UnreleasedPublishes();
  agreement: Agreement | null = null;
  identity: SessionIdentity | null = null;
  will: Will | null = null;
  isResumed = false;
  ownsSession = false;
  subscribedBy: PacketSession['subscribedBy'] = 'nobody';
  ownTopicsAreDecided = false;
  openedSinceMs = 0;
  outbox: Outbox;

  readonly #frames = new FrameReader(CONNECT_BYTES);
  readonly #rateLimiter: PacketRateLimiter;
  readonly #writes = new WriteCollector((bytes) => this.#writeNow(bytes));
  readonly #bufferLimit: WriteBufferLimit;
  #isBusy = false;
  /** The CONNECT that is being processed: its version, and since when. Null: none. */
  #connecting: { version: ProtocolVersion; sinceMs: number } | null = null;
  #isClosed = false;
  /** True while a session that has ended still answers the request that it was processing: its socket stays open. */
  #owesAnswer = false;
  /** True if acknowledgements that come after the end of the session count. */
  #countsLate = false;
  readonly #beganMs: number;
  #lastReceivedMs: number;
  /** On the wall clock. */
  #openedAtMs = 0;

  constructor(
    private readonly transport: Transport,
    readonly services: SessionServices,
    readonly limits: SessionLimits,
    private readonly clock: SessionClock,
    private readonly packets: PacketCounter,
  ) {
    this.#beganMs = this.#lastReceivedMs = this.now();
    this.#bufferLimit = new WriteBufferLimit(limits.bufferBytes);
    this.#rateLimiter = new PacketRateLimiter(limits.packetsPerSecond, this.#lastReceivedMs);
    this.outbox = new Outbox(limits.window, limits.capacity);
  }

  /** The monotonic clock, in milliseconds. */
  now(): number {
    return this.clock.steadyMs();
  }

  /** True if the session has ended; its socket may still linger. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Processes bytes from the network. */
  receive(bytes: Buffer): void {
    if (this.#isClosed) {
      this.#receiveLate(bytes);
      return;
    }
    this.#lastReceivedMs = this.now();
    this.#frames.push(bytes);
    this.#writes.inOneWrite(() => this.#processFrames());
  }

  /** The connection is closed: by the device, by the network, or by `close`. */
  gone(): void {
    if (this.#isClosed) return;
    this.#end('closed');
  }

  /**
   * Closes the connection if it exceeded a limit: no CONNECT in time, no answer to it in time, no packet for one and a
   * half keep-alive intervals (MQTT 3.1.1 §3.1.2.10), or a device that does not read what is written. The edge calls it
   * about once a second.
   *
   * @param nowMs the monotonic clock, in milliseconds
   */
  tick(nowMs: number): void {
    if (this.#connecting !== null) {
      const { version, sinceMs } = this.#connecting;
      if (nowMs - sinceMs > this.limits.connackWithinMs) refuseLate(this, version);
      return;
    }
    if (this.agreement === null) {
      // Not since the last byte: a client that sends one now and then must not hold a connection.
      if (nowMs - this.#beganMs > this.limits.connectWithinMs) this.close('keep_alive');
      return;
    }
    const silentMs = nowMs - this.#lastReceivedMs;
    if (!this.#isBusy) subscribeByRegistration(this, nowMs);
    const { keepAliveMs } = this.agreement;
    if (this.#bufferLimit.isStuck(this.transport.bufferedBytes, nowMs)) this.close('too_slow');
    else if (keepAliveMs > 0 && silentMs > keepAliveMs * KEEP_ALIVE_GRACE && !this.#isBusy) this.close('keep_alive');
  }

  /**
   * True if a message may be offered: the CONNECT is admitted, the session is open, and the outbox does not have the
   * message.
   */
  wants(messageId: string): boolean {
    return !this.#isClosed && this.agreement !== null && !this.outbox.knows(messageId);
  }

  /** Puts a delivery into the outbox if it is meant for the session's user; `flush` publishes it. */
  offer(delivery: OutgoingDelivery): void {
    if (this.#isClosed || this.identity === null || !isMeantFor(delivery, this.identity, this.#openedAtMs)) return;
    this.outbox.offer(delivery);
  }

  /**
   * Publishes what waits in the outbox, in one write, as long as the in-flight window and the write buffer have room, and
   * other processes rely on this edge.
   */
  flush(): void {
    this.#writes.inOneWrite(() => this.#publishWaiting());
  }

  #publishWaiting(): void {
    while (!this.#isClosed && this.agreement !== null && this.services.lease.isHeld) {
      const delivery = this.outbox.peek();
      if (delivery === undefined) break;
      if (!this.#publish(delivery, this.agreement)) return;
    }
    const moreFrom = this.#isClosed ? null : this.outbox.askForMore();
    if (moreFrom !== null) this.services.devices.requestWaiting(this, moreFrom);
  }

  /** Writes a packet in the agreed version, or in MQTT 3.1.1 before there is one. Does nothing after the end. */
  write(packet: Packet): void {
    if (this.agreement === null) this.writeAs(4, packet);
    else this.writeAs(this.agreement.version, asAgreed(packet, this.agreement));
  }

  /** Writes a packet in this version of MQTT. Does nothing after the end, except for an answer that is owed. */
  writeAs(version: ProtocolVersion, packet: Packet): void {
    if (this.#isClosed && !this.#owesAnswer) return;
    this.packets.countPacket(packet.cmd, 'out');
    this.#writes.add(generate(packet, { protocolVersion: version }));
  }

  /**
   * Publishes an event with QoS 0, valid for a minute. It is dropped while the write buffer is more than half full, and if
   * the client accepts no packet that large.
   */
  publishEvent(topic: string, payload: Buffer): void {
    if (this.#isClosed || this.agreement === null || this.transport.bufferedBytes > this.limits.bufferBytes / 2) return;
    const publish = { topic, qos: 0, isRepetition: false, packetId: 0, payload, secondsLeft: 60 } as const;
    if (publishBytes(publish, this.agreement.version) > this.agreement.clientMaxBytes) return;
    this.packets.countPacket('publish', 'out');
    this.#writes.add(encodePublish(publish, this.agreement.version));
  }

  /**
   * Ends the session and closes its connection. An MQTT 5 client gets a DISCONNECT with the reason code of the cause first
   * (MQTT 5 §3.14), unless it does not read.
   *
   * @param reason for MQTT 5 clients, in words; at most 200 characters of it are sent
   */
  close(cause: CloseCause, reason?: string): void {
    if (this.#isClosed) return;
    if (this.agreement?.version === 5 && cause !== 'too_slow') {
      const properties = reason === undefined ? {} : { properties: { reasonString: reason.slice(0, 200) } };
      this.write({ cmd: 'disconnect', reasonCode: DISCONNECT_CODE[cause], ...properties });
    }
    if (cause !== 'too_slow') this.#writes.flush();
    if (this.isClosed) return;
    this.#end(cause);
    this.#countsLate = cause === 'taken_over';
    this.#leaveTransport(cause);
  }

  /**
   * Records what the device acknowledges on a connection that its next one has replaced: it had the message before, or
   * does not know yet that the connection is over. Nothing else is served there.
   */
  #receiveLate(bytes: Buffer): void {
    if (!this.#countsLate || this.#isBusy || this.agreement === null || this.outbox.inFlight === 0) return;
    this.#frames.push(bytes);
    try {
      for (let frame = this.#frames.next(); frame !== null; frame = this.#frames.next()) {
        const packet = readPacket(frame, this.agreement.version);
        if (packet.cmd === 'puback') void handlePacket(this, packet);
      }
    } catch {
      this.#countsLate = false;
    }
  }

  /**
   * If a device connects twice, the later connection stays. Before MQTT 5 a client does not learn why its connection is
   * closed: it would connect again and replace the other one, which would do the same, without end. So its connection
   * lingers. Its client would wait for the answer to a request that is being processed, so that is still written.
   */
  #leaveTransport(cause: CloseCause): void {
    if (cause === 'too_slow') this.transport.destroy();
    else if (cause === 'taken_over' && this.agreement?.version !== 5) {
      this.#owesAnswer = this.#isBusy;
      this.transport.linger({ device: this.identity });
    } else this.transport.end();
  }

  /**
   * Ends the session after pending packets were written, without a DISCONNECT of its own.
   *
   * @param cause for the log @param lingers not null if the socket stays open for a while (docs/connection.md)
   */
  closeQuietly(cause: string, lingers: Omit<LingeringClient, 'device'> | null = null): void {
    if (this.#isClosed) return;
    this.#writes.flush();
    if (this.isClosed) return;
    this.#end(cause);
    if (lingers !== null) this.transport.linger({ ...lingers, device: this.identity });
    else this.transport.end();
  }

  /** Begins the session of an admitted CONNECT. @param window the most deliveries in flight */
  open(agreement: Agreement, identity: SessionIdentity, window: number): void {
    this.agreement = agreement;
    this.identity = identity;
    this.#openedAtMs = this.clock.wallMs();
    this.openedSinceMs = this.now();
    this.outbox = new Outbox(Math.min(window, this.limits.window), this.limits.capacity);
    this.#frames.allow(this.limits.maxPacketBytes);
  }

  /** @returns true if the next delivery may be published at once */
  #publish(delivery: OutgoingDelivery, agreement: Agreement): boolean {
    const { message } = delivery;
    const target = this.identity === null ? null : topicFor(message, this.identity, this.subscriptions);
    if (target === null || !isStillWanted(message, this.clock.wallMs())) {
      this.outbox.take();
      this.outbox.forget(message.id);
      return true;
    }
    const qos = message.isLive ? 0 : target.qos;
    if (qos === 1 && !this.outbox.hasRoom) return false;
    const { topic } = target;
    const bytes = publishBytes({ topic, qos, payload: delivery.payload }, agreement.version);
    if (!this.#bufferLimit.takes(bytes, this.transport.bufferedBytes + this.#writes.pendingBytes)) return false;
    if (bytes > agreement.clientMaxBytes) {
      this.outbox.take();
      this.services.outcomes.failed(this, delivery, TOO_LARGE);
    } else this.#write(delivery, { topic, qos }, agreement.version);
    return true;
  }

  #write(delivery: OutgoingDelivery, { topic, qos }: { topic: string; qos: 0 | 1 }, version: ProtocolVersion): void {
    const { message, payload } = delivery;
    const { packetId, isRepetition } = qos === 1 ? this.outbox.takeInFlight() : AT_MOST_ONCE;
    if (qos === 0) this.outbox.take();
    const secondsLeft = Math.ceil((message.expiresAtMs - this.clock.wallMs()) / 1_000);
    this.packets.countPacket('publish', 'out');
    this.#writes.add(encodePublish({ topic, qos, isRepetition, packetId, payload, secondsLeft }, version));
    if (qos === 0) this.services.outcomes.sent(this, delivery);
  }

  #writeNow(bytes: Buffer): void {
    this.transport.write(bytes);
    if (this.#bufferLimit.isExceeded(this.transport.bufferedBytes)) this.close('too_slow');
  }

  /** Processes received packets until there is none, or one returns a promise. */
  #processFrames(): void {
    try {
      while (!this.#isBusy && !this.#isClosed) {
        const frame = this.#frames.next();
        if (frame === null) return;
        this.#processFrame(frame);
      }
    } catch (error) {
      this.#refuse(error);
    }
  }

  #processFrame(frame: Buffer): void {
    const pending = this.agreement === null ? this.#connect(frame) : this.#handle(frame, this.agreement.version);
    if (pending === undefined) return;
    this.#isBusy = true;
    this.transport.pause();
    pending
      .catch((error: unknown) => this.#refuse(error))
      .finally(() => {
        this.#isBusy = false;
        this.#connecting = null;
        if (this.#owesAnswer) this.#endAnswer();
        if (this.#isClosed) return;
        this.#lastReceivedMs = this.now();
        this.transport.resume();
        this.#writes.inOneWrite(() => this.#processFrames());
      });
  }

  /** The last answer is written. A lingering connection is closed by a further request; some may have been received. */
  #endAnswer(): void {
    this.#owesAnswer = false;
    if (this.#frames.hasBytes) this.transport.end();
  }

  #connect(frame: Buffer): Promise<void> {
    const packet = readConnect(frame);
    this.packets.countPacket(packet.cmd, 'in');
    this.#connecting = { version: packet.protocolVersion ?? 4, sinceMs: this.now() };
    return handleConnect(this, packet);
  }

  #handle(frame: Buffer, version: ProtocolVersion): Promise<void> | undefined {
    const packet = readPacket(frame, version);
    this.packets.countPacket(packet.cmd, 'in');
    const isExpected = packet.cmd === 'puback' && this.outbox.inFlight > 0;
    if (!isExpected && !this.#rateLimiter.take(costOf(packet), this.now()))
      throw new PacketRefused('rate_too_high', 'Too many packets');
    return handlePacket(this, packet);
  }

  #refuse(error: unknown): void {
    if (this.#owesAnswer) this.transport.end();
    if (!(error instanceof PacketRefused)) this.close('unavailable');
    else if (this.agreement === null && error.refusal === 'bad_protocol') refuseProtocol(this);
    else this.close(error.refusal, error.message);
  }

  #end(cause: string): void {
    this.#isClosed = true;
    if (this.identity === null) return;
    if (cause !== 'shutting_down') publishWill(this);
    this.services.devices.ended(this, { cause, left: this.ownsSession ? leftBehind(this) : null });
  }
}
