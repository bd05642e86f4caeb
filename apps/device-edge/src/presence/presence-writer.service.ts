import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  type Arrival,
  DATABASE,
  type Database,
  type Departure,
  enterPresence,
  isCollision,
  leavePresence,
  type Presence,
} from '@postrider/persistence';
import { Batcher, CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { deviceKey } from '../ledger/device-key';
import { EDGE_ID } from './edge-id';

const ATTEMPTS = 4;
/** Smaller than the epoch of every connection that is present. */
const OVERTAKEN = '0';
/** Longer than that, a session may as well last for ever. */
const LONGEST_SESSION_MS = 100 * 365 * 86_400_000;

/** A connection that is over, of an installation as its client spells it. */
type Leaving = Omit<Departure, 'sessionExpiresAt'> & { installationId: string };

/** Writes who is connected here, many devices in one statement. */
@Injectable()
export class PresenceKeeper {
  readonly #arrivals: Batcher<Arrival, Presence | null>;
  readonly #departures: Batcher<Departure, undefined>;
  /** By installation, the last. */
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EDGE_ID) private readonly edgeId: string,
  ) {
    this.#arrivals = new Batcher((arrivals) => this.#enter(arrivals), 500, 2);
    this.#departures = new Batcher((departures) => this.#leave(departures));
  }

  /** @returns null when the device is gone, or another user's */
  enter(arrival: Arrival): Promise<Presence | null> {
    return this.#arrivals.add(arrival);
  }

  /**
   * Returns at once. What cannot be written lasts until the edge is found to have no such connection.
   *
   * @param sessionEndsInMs when the kept session ends; null: never
   */
  leave({ installationId, ...left }: Leaving, sessionEndsInMs: number | null): void {
    const endsAtMs = this.clock.now().getTime() + Math.min(sessionEndsInMs ?? 0, LONGEST_SESSION_MS);
    const sessionExpiresAt = sessionEndsInMs === null ? null : new Date(endsAtMs);
    const leaving = this.#departures.add({ ...left, sessionExpiresAt }).then(nothing, (error: unknown) => {
      this.logger.warn({ err: error }, 'presence.not-left');
    });
    const key = installationKey(left.appId, installationId);
    this.#leaving.set(key, leaving);
    void leaving.then(() => {
      if (this.#leaving.get(key) === leaving) this.#leaving.delete(key);
    });
  }

  /** Resolves when an installation that left just now is known to have left, with what it did not acknowledge. */
  async hasLeft(appId: string, installationId: string): Promise<void> {
    await this.#leaving.get(installationKey(appId, installationId));
  }

  /** Resolves when everybody who left until now is known to have left. */
  async allLeft(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }

  /**
   * A device may stand in it twice: the last is the one that is present, the others came before it. What becomes of their
   * connections does not touch its presence.
   */
  async #enter(arrivals: Arrival[]): Promise<(Presence | null)[]> {
    const last = new Map(arrivals.map((arrival) => [deviceKey(arrival.appId, arrival.deviceId), arrival]));
    const entered = await retried(() =>
      enterPresence(this.database, this.edgeId, [...last.values()], this.clock.now()),
    );
    const present = new Map(entered.map((one) => [deviceKey(one.appId, one.deviceId), one]));
    return arrivals.map((arrival) => {
      const key = deviceKey(arrival.appId, arrival.deviceId);
      const one = present.get(key) ?? null;
      return one === null || last.get(key) === arrival ? one : { ...one, epoch: OVERTAKEN };
    });
  }

  async #leave(departures: Departure[]): Promise<undefined[]> {
    await retried(() => leavePresence(this.database, departures, this.clock.now()));
    return departures.map(() => undefined);
  }
}

function installationKey(appId: string, installationId: string): string {
  return `${appId}/${installationId.toLowerCase()}`;
}

/** Two edges, or an edge and a registration, may run into each other. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isCollision(error)) throw error;
    }
  }
}

function nothing(): void {
  return undefined;
}
