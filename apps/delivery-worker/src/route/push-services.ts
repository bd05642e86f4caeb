import { type Clock, MINUTE_MS } from '@postrider/domain';

/** A push service counts as working for this long after it accepted something. */
const WORKS_FOR_MS = MINUTE_MS;
/** Browsers name the services, so their number is bounded. */
const MAX_SERVICES = 64;
/** The endpoint's origin in the JSON text of a PushSubscription. JSON allows `\\/` for a slash. */
const ORIGIN = /"endpoint"\s*:\s*"(https?:\\?\/\\?\/[^"/\\?#]+)/iu;

/**
 * Web Push is one vendor to an application, and many services: each browser's maker has its own. Knows which of them
 * accepted something lately, so that one which is down does not hold the devices of the others.
 */
export class PushServices {
  /** By origin, on the scale of `clock.steadyMs()`; the oldest first. */
  readonly #acceptedAt = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'steadyMs'>) {}

  /** Notes that a device's push service accepted a message. */
  noteAccepted(token: string): void {
    const origin = originOf(token);
    this.#acceptedAt.delete(origin);
    this.#acceptedAt.set(origin, this.clock.steadyMs());
    if (this.#acceptedAt.size <= MAX_SERVICES) return;
    const [oldest] = this.#acceptedAt.keys();
    this.#acceptedAt.delete(oldest as string);
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
  }
}

/** The push service of a device. Devices whose token cannot be read share an empty one. */
function originOf(token: string): string {
  return ORIGIN.exec(token)?.[1]?.replaceAll('\\', '').toLowerCase() ?? '';
}
