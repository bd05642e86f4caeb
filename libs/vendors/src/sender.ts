import { type Clock, MAX_TTL_SECONDS, type PushVendor, type SendOutcome, type VendorPayload } from '@postrider/domain';
import type { Logger, HttpsProxy } from '@postrider/platform';

/** When a message ends. */
export interface MessageEnd {
  /** The moment the message expires. */
  readonly expiresAt: Date;
  /**
   * The moment, in milliseconds since 1970, from which no vendor is asked to deliver it any more: its expiry, or a little
   * later for a message that is sent now or never. Of a message with a rate: the moment from which on others have their time.
   */
  readonly lastCallAt: number;
}

/** The outcome of a request that was not written, because its message had expired by then. */
export const EXPIRED: SendOutcome = {
  kind: 'expired',
  code: 'EXPIRED',
  reason: 'The message expired before it could be handed to the vendor',
};

/**
 * Whole seconds that remain of a message's life; 0: now or never. Never more than the longest life of a message, which is all that FCM
 * takes: by the clock of a process that lags behind the one that accepted the message, more of it may seem to remain.
 */
export function ttlSecondsAt(now: number, { expiresAt }: Pick<MessageEnd, 'expiresAt'>): number {
  return Math.min(MAX_TTL_SECONDS, Math.max(0, Math.floor((expiresAt.getTime() - now) / 1_000)));
}

/** One message for one device, ready to go. */
export interface PushRequest extends MessageEnd {
  /**
   * The delivery's id: a lowercase UUID, the same on every attempt, so that a vendor that dedupes by id shows it once. May
   * be a getter: only vendors that put it on the wire read it.
   */
  readonly deliveryId: string;
  /** The device's token as it registered it (for Web Push, the JSON text of its subscription). */
  readonly token: string;
  /** Hand the same object for every device that gets the same: it is serialised once. */
  readonly payload: VendorPayload;
}

/** Receives the outcome of one send: called exactly once, possibly before `send` returns. */
export type SendCallback = (outcome: SendOutcome) => void;

/** If credentials work, and if not, why: the vendor's code and its text. */
export type CheckResult = { ok: true } | { ok: false; code: string; reason: string };

/** How much more a sender accepts now. A caller that stays within it never fills a queue inside the sender. */
export interface SenderCapacity {
  /** How many sends may start now. Falls when the vendor slows us down, grows while it keeps up. */
  free(): number;
  /** Calls `callback` once, as soon as `free()` is above 0 (at once when it is already). */
  whenFree(callback: () => void): void;
}

/**
 * Talks to one push service with one application's credentials. A sender only sends: it does not decide about retries,
 * tokens or states. Every refusal is a `SendOutcome`; `send` throws nothing and never calls back twice. A message that
 * the vendor surely did not accept (refused stream, connection lost before the request was written) is tried again on
 * another connection, three times at most; one that the vendor may have accepted is `ambiguous`. The sender looks at
 * the time when it writes a request: it gives the vendor the rest of the message's life, and does not call it if there
 * is none (`expired`).
 */
export interface Sender {
  readonly vendor: PushVendor;
  readonly capacity: SenderCapacity;
  /**
   * Sends one message to one device. `done` is called once, within the deadline and the time that the vendor's access
   * token takes.
   */
  send(request: PushRequest, done: SendCallback): void;
  /**
   * Asks the vendor whether it would take a message for a token. No message reaches the device. `done` is called as for `send`. Absent
   * where the vendor offers no such call.
   */
  validate?(token: string, done: SendCallback): void;
  /** Asks the vendor whether the credentials work, without a message reaching any device. */
  check(): Promise<CheckResult>;
  /**
   * Waits for the sends in flight, refuses the rest as `retryable`, and closes every connection. Safe to call twice.
   */
  close(): Promise<void>;
}

/** The same as `sender.send`, as a promise. */
export function sendOnce(sender: Pick<Sender, 'send'>, request: PushRequest): Promise<SendOutcome> {
  return new Promise((resolve) => sender.send(request, resolve));
}

/** A provider token of APNs and when it was made, in milliseconds since 1970. */
export interface IssuedToken {
  readonly value: string;
  readonly issuedAt: number;
}

/**
 * A store in which processes share the provider token of a key of APNs, so that Apple sees one instead of one for each. A store
 * that is away may reject: every process then makes its own.
 */
export interface ProviderTokenStore {
  /**
   * Gives the token that all use. That is the stored one, unless there is none or it was not issued after `renewBefore`: then
   * `offered` takes its place, of several that are offered at a time one.
   */
  share(name: string, offered: IssuedToken, renewBefore: number): Promise<IssuedToken>;
}

/** A client of HTTP/2. */
export type Http2ClientName = 'own' | 'node';

/** The options of every sender beside its credentials. */
export interface SenderOptions {
  clock: Clock;
  /** True if endpoints may be loopback or private addresses, or plain http. */
  allowPrivateEndpoints: boolean;
  /**
   * The same for the push services in Web Push subscriptions, which come from strangers. Default false, whatever the
   * value of `allowPrivateEndpoints`.
   */
  allowPrivatePushServices?: boolean;
  /** The proxy that leads out, if there is one. */
  proxy?: HttpsProxy | undefined;
  logger?: Logger;
  /** Connections to the vendor at most. Default 8. */
  maxSessions?: number;
  /** Requests in flight at most, over all connections. Default 2,000. */
  maxInFlight?: number;
  /**
   * How long a send may take. Default 20 s (HMS: 15 s from the moment the request is on the wire). A request that is
   * not on the wire after half of it is not sent, so that at least the other half (FCM asks for 10 s) is left for the
   * answer.
   */
  deadlineMs?: number;
  /** A store in which processes share provider tokens of APNs. Default: each process makes its own. */
  providerTokens?: ProviderTokenStore;
  /** The implementation of HTTP/2's framing. Default `own`. */
  http2Client?: Http2ClientName;
}
