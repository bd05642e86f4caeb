import type { Packet } from 'mqtt-packet';
import type { ProtocolVersion } from '../protocol/reason-codes';
import type { PublishedOn } from '../protocol/topics';
import type { LingeringClient } from './lingering-connections';
import type { Agreement, DeviceSession, SessionIdentity, SessionServices } from './device-session';

/** A session as the packet handlers see it: they read and change its state. `Session` implements it. */
export interface PacketSession extends DeviceSession {
  identity: SessionIdentity | null;
  isResumed: boolean;
  /** True if the CONNECT is accepted: from then on the stored session is this connection's, whose end changes it. */
  ownsSession: boolean;
  /** Published if the connection ends without a DISCONNECT. Null: nothing. */
  will: Will | null;
  /** Where the subscriptions come from. The client's own replace those of its registration, even when it has none. */
  subscribedBy: 'nobody' | 'registration' | 'client';
  /** True if the topics that every device has are subscribed to, or the client does not want them. */
  ownTopicsAreDecided: boolean;
  readonly services: SessionServices;
  readonly limits: SessionLimits;
  /** Starts the session after an admitted CONNECT. From here on larger packets are accepted. */
  open(agreement: Agreement, identity: SessionIdentity, window: number): void;
  /** Writes a packet in the agreed version. */
  write(packet: Packet): void;
  /** Writes a packet in the given version, before one is agreed on. */
  writeAs(version: ProtocolVersion, packet: Packet): void;
  /**
   * Ends the connection after a packet with the reason, or at the client's request.
   *
   * @param lingers who lingers, if the socket stays open because the client would reconnect at once
   */
  closeQuietly(cause: string, lingers?: Omit<LingeringClient, 'device'> | null): void;
}

/** Published if the connection ends without a DISCONNECT (MQTT 3.1.1 §3.1.2.5). */
export interface Will {
  on: PublishedOn;
  payload: Buffer;
  /** How long it waits for the client to come back (MQTT 5 §3.1.3.2.2). */
  delaySeconds: number | undefined;
}

/** The limits of one connection. */
export interface SessionLimits {
  /** Messages in flight to a device. */
  window: number;
  /** Messages that wait in memory for a device. */
  capacity: number;
  maxPacketBytes: number;
  /** Bytes that may wait to be written. */
  bufferBytes: number;
  packetsPerSecond: number;
  /** A CONNECT must arrive within this time. */
  connectWithinMs: number;
  /** A CONNECT is answered within this time, whether PostgreSQL answers or not. */
  connackWithinMs: number;
  subscriptions: number;
  /** Channels that a device may make itself a member of. */
  channels: number;
}

/** The two clocks of a session, both in milliseconds. */
export interface SessionClock {
  /** The monotonic clock, for time limits. */
  steadyMs(): number;
  /** The wall clock, for expiry. */
  wallMs(): number;
}

/** Nest injection token of `PacketCounter`. */
export const PACKET_COUNTER = Symbol('PacketCounter');

/** Counts MQTT packets. */
export interface PacketCounter {
  countPacket(packet: string, direction: 'in' | 'out'): void;
}
