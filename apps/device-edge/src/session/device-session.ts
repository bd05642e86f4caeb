import type { Channel } from '@postrider/domain';
import type { Secret } from '@postrider/platform';
import type { ConnectRefusal } from '../protocol/reason-codes';
import type { OutgoingDelivery, OutgoingMessage } from './outgoing-delivery';
import type { Session } from './session';

/** What a CONNECT asks. */
export interface ConnectAsk {
  clientId: string;
  username: string;
  password: string;
  cleanStart: boolean;
}

/** Who a session belongs to, as the ledger knows it. */
export interface SessionIdentity {
  appId: string;
  installationId: string;
  /** `installations.id`. */
  deviceId: string;
  userId: string;
  /** The user id as the client spells it. */
  userText: string;
  deviceType: string | null;
  /** The channels that it is a member of beside the default ones, as it connected. */
  channels: readonly Channel[];
  /** Larger than that of every connection of this device before. */
  epoch: string;
  userSinceMs: number;
  /** Whether the device had another owner before: what waits for it may be theirs. */
  hasChangedHands: boolean;
  mayRead: boolean;
  /** The token itself, where it may send: what is sent is handed on under it. */
  sendingToken: Secret | null;
  /** What the token is known by: its hash. */
  tokenKey: string;
}

/** The answer to a CONNECT. */
export type Admission =
  | {
      kind: 'admitted';
      identity: SessionIdentity;
      /** Of the session that is kept; null: there is none. */
      subscriptions: Record<string, number> | null;
      /** What that session was sent and did not acknowledge: packet identifiers by message id. */
      inFlight: Record<string, number> | null;
    }
  | { kind: 'refused'; refusal: ConnectRefusal };

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

/** How a publish was taken: `later` when it could not be looked at now, and should come again. */
export type PublishVerdict =
  { kind: 'taken' } | { kind: 'invalid'; reason: string } | { kind: 'busy' } | { kind: 'later' };

/** What a session asks of the house: all that is stored or known beyond one connection. */
export interface SessionServices {
  /** Lets a device in, or not: once admitted it is present. Never rejects. */
  admit(ask: ConnectAsk): Promise<Admission>;
  /** The session may be published to from now on. */
  opened(session: Session): void;
  /** The connection is over. */
  ended(session: Session, outcome: SessionEnd): void;
  /** Keeps what outlives the connection. */
  keep(session: Session): Promise<void>;
  join(session: Session, channels: readonly Channel[]): Promise<void>;
  leave(session: Session, channels: readonly Channel[]): Promise<void>;
  send(session: Session, send: ClientSend): Promise<PublishVerdict>;
  report(session: Session, event: ClientEvent): Promise<PublishVerdict>;
  /** What waits in the ledger for the device should be offered (again); from a message on, when it is named. */
  wantsInbox(session: Session, fromId?: string): void;
  /** The device has it. */
  acknowledged(session: Session, delivery: OutgoingDelivery): void;
  /** It was written, and nobody will ever say more. */
  sent(session: Session, delivery: OutgoingDelivery): void;
  /** The device does not take it, and never will. */
  failed(session: Session, delivery: OutgoingDelivery, errorCode: string, reason: string): void;
  counted(packet: string, direction: 'in' | 'out'): void;
}

/** How a connection ended. */
export interface SessionEnd {
  cause: string;
  /** Published and not acknowledged: packet identifiers by message id; null: nothing. */
  inFlight: Readonly<Record<string, number>> | null;
  /** When the kept session ends, in milliseconds from now; 0 at once, null never. */
  sessionEndsInMs: number | null;
}

/** Whether a message may still go out to a session. */
export function isStillWanted(message: OutgoingMessage, nowMs: number): boolean {
  return nowMs < message.lastCallMs;
}
