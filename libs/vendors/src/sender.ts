import type { PushVendor, SendOutcome, VendorPayload } from '@postrider/domain';
import type { MessageEnd } from './remaining-life';

/** One message for one device, ready to go. */
export interface SendRequest extends MessageEnd {
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

/** Receives what came of one send: called exactly once, possibly before `send` returns. */
export type SendCallback = (outcome: SendOutcome) => void;

/** Whether credentials work, and if not, why: in the vendor's code and in words. */
export type CheckResult = { ok: true } | { ok: false; code: string; reason: string };

/** How much more a sender takes now. A caller that stays within it never fills a queue inside the sender. */
export interface SenderCapacity {
  /** How many sends may be started now. Falls when the vendor slows us down, grows while it keeps up. */
  free(): number;
  /** Calls `callback` once, as soon as `free()` is above 0 (at once when it is already). */
  whenFree(callback: () => void): void;
}

/**
 * Talks to one push service with one application's credentials. A sender sends: it decides nothing about retries, tokens or
 * states. Every refusal is a `SendOutcome`; `send` throws nothing and never calls back twice. What the vendor surely did not
 * take (refused stream, connection lost before the request was written) is tried again on another connection, three times
 * at most; what it may have taken is `ambiguous`. The time is looked at when a request is written: the vendor is told what
 * remains of the message's life then, and is not called when nothing does (`expired`).
 */
export interface Sender {
  readonly vendor: PushVendor;
  readonly capacity: SenderCapacity;
  /** Sends one message to one device. `done` is called once, within the deadline and what the vendor's access token takes. */
  send(request: SendRequest, done: SendCallback): void;
  /** Asks the vendor whether the credentials work, without a message reaching any device. */
  check(): Promise<CheckResult>;
  /** Lets what is in flight finish, refuses the rest as `retryable`, and closes every connection. Safe to call twice. */
  close(): Promise<void>;
}

/** The same as `sender.send`, as a promise. */
export function sendOnce(sender: Pick<Sender, 'send'>, request: SendRequest): Promise<SendOutcome> {
  return new Promise((resolve) => sender.send(request, resolve));
}
