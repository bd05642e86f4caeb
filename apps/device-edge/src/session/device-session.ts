import type { DeviceId, Channel } from '@postrider/domain';
import type { Secret } from '@postrider/platform';
import { generate, type Packet } from 'mqtt-packet';
import type { CloseCause, ConnectRefusal, ProtocolVersion } from '../protocol/reason-codes';
import type { Outbox } from './outbox';
import type { OutgoingDelivery } from './outgoing-delivery';
import type { UnreleasedPublishes } from './unreleased-publishes';

/** One MQTT connection of a device, as the services of the edge see it. `Session` implements it. */
export interface DeviceSession {
  /** Null until the CONNECT is admitted. */
  readonly identity: SessionIdentity | null;
  /** Null until the CONNECT is admitted. */
  readonly agreement: Agreement | null;
  /** Topic or filter → granted QoS. */
  readonly subscriptions: Map<string, 0 | 1>;
  readonly outbox: Outbox;
  /** Publishes of QoS 2 that were accepted and not released yet. */
  readonly unreleased: UnreleasedPublishes;
  /** True if it continues a session that an earlier connection left. */
  readonly isResumed: boolean;
  readonly isClosed: boolean;
  /** When the CONNECT was admitted, on the monotonic clock. */
  readonly openedSinceMs: number;
  /** Closes a connection that exceeded one of its time limits. The edge calls it about once a second. */
  tick(nowMs: number): void;
  /** True if a waiting message may be offered: the connection is open, and the outbox does not have the message. */
  wants(messageId: string): boolean;
  /** Puts a message into the outbox. It stays there until `flush`. */
  offer(delivery: OutgoingDelivery): void;
  /** Publishes what waits in the outbox, in one write, as long as the in-flight window and the socket have room. */
  flush(): void;
  /** Publishes an event with QoS 0. The event is dropped while the device reads slowly. */
  publishEvent(topic: string, payload: Buffer): void;
  /** Closes the connection. MQTT 5 clients get the reason (MQTT 5 §3.14). */
  close(cause: CloseCause): void;
}

/** What a CONNECT agreed on. */
export interface Agreement {
  version: ProtocolVersion;
  keepAliveMs: number;
  /** How many seconds the session outlives its connection. Null: for ever. */
  expirySeconds: number | null;
  /** The largest packet that the client accepts (MQTT 5 §3.1.2.11.4). */
  clientMaxBytes: number;
  /** False if an acknowledgement must not say a reason in words (MQTT 5 §3.1.2.11.7). */
  takesReasons: boolean;
}

/** How many seconds a session of this expiry interval outlives its connection. Null: for ever (MQTT 5 §3.1.2.11.2). */
export function expiryOf(interval: number): number | null {
  return interval === 0xffffffff ? null : interval;
}

/**
 * The packet as the client takes it. A reason in words is left out if the client asked for none, except in a DISCONNECT
 * (MQTT 5 §3.1.2-29), and if the packet would be larger than the client accepts (§3.4.2-2, §3.14.2-3).
 */
export function asAgreed(packet: Packet, { version, takesReasons, clientMaxBytes }: Agreement): Packet {
  if (packet.cmd !== 'puback' && packet.cmd !== 'disconnect') return packet;
  if (packet.properties?.reasonString === undefined) return packet;
  const isTaken = takesReasons || packet.cmd === 'disconnect';
  if (isTaken && generate(packet, { protocolVersion: version }).length <= clientMaxBytes) return packet;
  return { ...packet, properties: {} };
}

/** The device and the access token of a session, as PostgreSQL had them at the CONNECT. */
export interface SessionIdentity {
  appId: string;
  installationId: string;
  /** `installations.id`. */
  deviceId: DeviceId;
  userId: string;
  /** The user id as the client spells it. */
  userText: string;
  deviceType: string | null;
  /** The channels that the device is a member of, without the default ones. */
  channels: readonly Channel[];
  /** Larger than the epoch of every earlier connection of this device. */
  epoch: string;
  userSinceMs: number;
  /** True if the device had another owner before: messages that wait for it may be theirs. */
  hasChangedHands: boolean;
  mayRead: boolean;
  /** The access token, if its scopes allow sends: the gateway gets it with each send of the client. */
  sendAccessToken: Secret | null;
  /** The hash of the access token. */
  accessTokenKey: string;
}

/** What a client sends in its CONNECT. */
export interface ConnectRequest {
  clientId: string;
  username: string;
  password: string;
}

/** The answer to a CONNECT. */
export type Admission =
  | {
      kind: 'admitted';
      identity: SessionIdentity;
      /** Subscriptions of the stored session. Null: there is no stored session. */
      subscriptions: Record<string, number> | null;
      /** Messages that the stored session was sent and did not acknowledge: packet identifiers by message id. */
      inFlight: Record<string, number> | null;
      /** Identifiers of publishes of QoS 2 that the stored session accepted and the client did not release. */
      unreleased: number[] | null;
      /** True if the stored session would end at some time. */
      sessionEnds: boolean;
    }
  | {
      kind: 'refused';
      refusal: ConnectRefusal;
      /** Whether it would be admitted by now. Left out: nothing changes that. */
      isAdmissible?: () => Promise<boolean>;
    };

/** A message that a client publishes to be sent on. */
export interface ClientSend {
  to: string;
  channel: string;
  payload: Buffer;
}

/** An event that a device reports. */
export interface ClientEvent {
  name: string;
  payload: Buffer;
  isRepublished: boolean;
}

/** The result of a client's PUBLISH. `later`: it could not be processed now, and the client should send it again. */
export type PublishResult =
  { kind: 'taken' } | { kind: 'invalid'; reason: string } | { kind: 'busy' } | { kind: 'later' };

/** Why a delivery can never be published. */
export interface DeliveryFailure {
  state: 'failed' | 'skipped';
  errorCode: string;
  reason: string;
}

/** How a connection ended. */
export interface SessionEnd {
  cause: string;
  /** Null: the stored session stays as it was, because the CONNECT was not accepted. */
  left: LeftBehind | null;
}

/** What a connection that ends leaves to the next one, if its session outlives it. */
export interface LeftBehind {
  /** Messages that were published and not acknowledged: packet identifiers by message id. Null: none. */
  inFlight: Readonly<Record<string, number>> | null;
  /** Identifiers of publishes of QoS 2 that were accepted and not released. Null: none. */
  unreleased: readonly number[] | null;
  /** When the stored session ends, in milliseconds from now. 0: at once. Null: never. */
  sessionEndsInMs: number | null;
}

/** Returns what a connection that ends leaves to the next one. */
export function leftBehind({
  agreement,
  outbox,
  unreleased,
}: Pick<DeviceSession, 'agreement' | 'outbox' | 'unreleased'>): LeftBehind {
  const expirySeconds = agreement?.expirySeconds ?? null;
  return {
    inFlight: expirySeconds === 0 ? null : outbox.inFlightIds(),
    unreleased: expirySeconds === 0 ? null : unreleased.left(),
    sessionEndsInMs: expirySeconds === null ? null : expirySeconds * 1_000,
  };
}

/** Nest injection token of `SessionServices`. */
export const SESSION_SERVICES = Symbol('SessionServices');

/** What sessions need from the edge: everything that outlives a connection or is shared between connections. */
export interface SessionServices {
  readonly lease: {
    /** False while other processes may consider this edge dead: then no message may be published. */
    readonly isHeld: boolean;
  };
  readonly admission: {
    /** Admits a device, which is present from then on, or refuses it. Never rejects. */
    admit(request: ConnectRequest): Promise<Admission>;
    /** Whether there is an installation with this id. */
    isInstallation(appId: string, id: string): Promise<boolean>;
  };
  readonly devices: {
    /** The CONNACK is written: messages may be published to the session. */
    opened(session: DeviceSession): void;
    /** The connection is closed. */
    ended(session: DeviceSession, end: SessionEnd): void;
    /** Reads what waits for the device: all of it, or from a message on. */
    requestWaiting(session: DeviceSession, fromId?: string): void;
  };
  readonly subscriptions: {
    /** Stores the subscriptions of a session that outlives its connection; deletes the stored session otherwise. */
    save(session: DeviceSession): Promise<void>;
    join(session: DeviceSession, channels: readonly Channel[]): Promise<void>;
    leave(session: DeviceSession, channels: readonly Channel[]): Promise<void>;
  };
  readonly sends: {
    send(identity: SessionIdentity, send: ClientSend): Promise<PublishResult>;
  };
  readonly wills: {
    /** Publishes a will after its delay, unless the device continues its session before. */
    publishLater(identity: SessionIdentity, delayMs: number, publish: () => Promise<unknown>): void;
    /** The device is connected again. */
    cameBack(session: DeviceSession): void;
  };
  readonly events: {
    report(identity: SessionIdentity, event: ClientEvent): Promise<PublishResult>;
  };
  readonly outcomes: {
    /** The device acknowledged the delivery. */
    acknowledged(session: DeviceSession, delivery: OutgoingDelivery): void;
    /** The delivery was written with QoS 0. */
    sent(session: DeviceSession, delivery: OutgoingDelivery): void;
    /** The delivery can never be published to this device. */
    failed(session: DeviceSession, delivery: OutgoingDelivery, failure: DeliveryFailure): void;
  };
}

/** The key of a device in the maps of one edge. */
export function deviceKey(appId: string, deviceId: DeviceId): string {
  return `${deviceId} ${appId}`;
}
