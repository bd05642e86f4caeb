import { type Clock, MINUTE_MS } from '@postrider/domain';
import { createHash } from 'node:crypto';

/** A push service counts as working for this long after it accepted something. */
const WORKS_FOR_MS = MINUTE_MS;
/** Browsers name the services, so their number is bounded. */
const MAX_SERVICES = 64;
/** The latest accepted subscriptions that are known. */
const MAX_SUBSCRIPTIONS = 500;
/** The endpoint's origin in the JSON text of a PushSubscription. JSON allows `\\/` for a slash. */
const ORIGIN = /"endpoint"\s*:\s*"(https?:\\?\/\\?\/[^"/\\?#]+)/iu;

/**
 * Web Push is one vendor to an application, and many services: each browser's maker has its own. Knows which of them
 * accepted something lately, so that one which is down does not hold the devices of the others; and which subscriptions were
 * accepted with the present credentials.
 */
export class PushServices {
  /** By origin, on the scale of `clock.steadyMs()`; the oldest first. */
  readonly #acceptedAt = new Map<string, number>();
  /** Their digests, because a subscription may take kilobytes; the longest ago first. */
  readonly #accepted = new Set<string>();

  constructor(private readonly clock: Pick<Clock, 'steadyMs'>) {}

  /** Notes that a device's push service accepted a message. */
  noteAccepted(token: string): void {
    const origin = originOf(token);
    this.#acceptedAt.delete(origin);
    this.#acceptedAt.set(origin, this.clock.steadyMs());
    if (this.#acceptedAt.size > MAX_SERVICES) this.#acceptedAt.delete(firstOf(this.#acceptedAt.keys()));
    const digest = digestOf(token);
    this.#accepted.delete(digest);
    this.#accepted.add(digest);
    if (this.#accepted.size > MAX_SUBSCRIPTIONS) this.#accepted.delete(firstOf(this.#accepted.keys()));
  }

  /** True if this subscription was accepted with the present credentials, and not too many others since. */
  hasAccepted(token: string): boolean {
    return this.#accepted.has(digestOf(token));
  }

  /** True if another push service than this device's accepted something lately. */
  isAnotherWorking(token: string): boolean {
    const since = this.clock.steadyMs() - WORKS_FOR_MS;
    const own = originOf(token);
    for (const [origin, acceptedAt] of this.#acceptedAt) if (acceptedAt > since && origin !== own) return true;
    return false;
  }

  /** Starts again, with other credentials. */
  reset(): void {
    this.#acceptedAt.clear();
    this.#accepted.clear();
  }
}

/** The push service of a device. Devices whose token cannot be read share an empty one. */
function originOf(token: string): string {
  return ORIGIN.exec(token)?.[1]?.replaceAll('\\', '').toLowerCase() ?? '';
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function firstOf(keys: Iterator<string>): string {
  return keys.next().value as string;
}
