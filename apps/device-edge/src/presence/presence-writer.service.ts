import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS } from '@postrider/domain';
import {
  type Arrival,
  type Departure,
  isDatabaseUnavailable,
  type LeftSession,
  type Presence,
  PresenceRepository,
  retryCollisions,
} from '@postrider/persistence';
import { Batcher, CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { LRUCache } from 'lru-cache';
import { deviceKey, type LeftBehind } from '../session/device-session';
import { EDGE_ID } from '../runtime/edge-id';

/** Smaller than the epoch of every connection that is present. */
const OVERTAKEN = '0';
/** A stored session that lasts longer than this ends after this time. */
const LONGEST_SESSION_MS = 100 * 365 * DAY_MS;
/** Far more than end while their devices connect again. */
const MOST_LEFT = 10_000;

/** A closed connection; the installation id is spelled as its client spells it. */
type ClosedConnection = Omit<Departure, 'session'> & { installationId: string };

/** Writes which devices are connected to this edge, many in one statement. */
@Injectable()
export class PresenceWriter {
  readonly #arrivals: Batcher<Arrival, Presence | null>;
  readonly #departures: Batcher<Departure>;
  /** The last departure of each installation that is being written. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** What the last connection of each installation left, until PostgreSQL has it and the device connects again. */
  readonly #left = new LRUCache<string, LeftBehind>({ max: MOST_LEFT });
  /** Departures that PostgreSQL could not take. There are no more than connections were open when it went away. */
  readonly #unwritten: Departure[] = [];

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EDGE_ID) private readonly edgeId: string,
    private readonly presence: PresenceRepository,
  ) {
    this.#arrivals = new Batcher({ work: (arrivals) => this.#enter(arrivals), concurrency: 2 });
    this.#departures = new Batcher({
      work: (departures) => this.#leave(departures),
      splitsOn: (error) => !isDatabaseUnavailable(error),
    });
  }

  /** Makes a device present. @returns null if the device was removed or belongs to another user */
  enter(arrival: Arrival): Promise<Presence | null> {
    return this.#arrivals.add(arrival);
  }

  /**
   * Makes a device absent. Returns at once. While PostgreSQL is not available, the departure waits for `leaveAgain`.
   *
   * @param left what the stored session becomes; null: it stays as it is
   * @param saved resolves when the connection's session is stored: a later save would make it last for ever
   */
  leave({ installationId, ...closed }: ClosedConnection, left: LeftBehind | null, saved: Promise<void>): void {
    const session = left === null ? null : this.#sessionOf(left);
    const leaving = saved
      .then(() => this.#write({ ...closed, session }))
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'presence.not-left');
      });
    const key = installationKey(closed.appId, installationId);
    this.#leaving.set(key, leaving);
    if (left !== null) this.#left.set(key, left);
    void leaving.then(() => {
      if (this.#leaving.get(key) === leaving) this.#leaving.delete(key);
    });
  }

  /**
   * Writes the departures that PostgreSQL could not take before: otherwise these devices would count as connected until
   * they connect again. Call it every few seconds.
   *
   * @throws the error of the first one that cannot be written; all that may be written later stay
   */
  async leaveAgain(): Promise<void> {
    await Promise.all(this.#unwritten.splice(0).map((departure) => this.#write(departure)));
  }

  /**
   * Resolves when the last departure of an installation is written, with the messages it did not acknowledge. `leftSince`
   * knows only of departures after that.
   */
  async hasLeft(appId: string, installationId: string): Promise<void> {
    const key = installationKey(appId, installationId);
    await this.#leaving.get(key);
    this.#left.delete(key);
  }

  /**
   * What a connection left that has ended since `hasLeft`. PostgreSQL may not have it: an arrival that is written first
   * overtakes the departure. Null: none has ended.
   */
  leftSince(appId: string, installationId: string): LeftBehind | null {
    return this.#left.get(installationKey(appId, installationId)) ?? null;
  }

  /** Resolves when all departures until now are written. */
  async allLeft(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }

  /**
   * A device may be in the batch twice: then the last arrival is present, and the others get an epoch that is already
   * overtaken. The end of their connections does not change the device's presence.
   */
  async #enter(arrivals: Arrival[]): Promise<(Presence | null)[]> {
    const last = new Map(arrivals.map((arrival) => [deviceKey(arrival.appId, arrival.deviceId), arrival]));
    // Two edges, or an edge and a registration, may lock the same rows.
    const entered = await retryCollisions(() => this.presence.enter(this.edgeId, [...last.values()], this.clock.now()));
    const present = new Map(entered.map((one) => [deviceKey(one.appId, one.deviceId), one]));
    return arrivals.map((arrival) => {
      const key = deviceKey(arrival.appId, arrival.deviceId);
      const one = present.get(key) ?? null;
      return one === null || last.get(key) === arrival ? one : { ...one, epoch: OVERTAKEN };
    });
  }

  /** The expiry of a session begins when its connection is over, not when PostgreSQL can be told so. */
  #sessionOf({ inFlight, unreleased, sessionEndsInMs }: LeftBehind): LeftSession {
    if (sessionEndsInMs === null) return { inFlight, unreleased, expiresAt: null };
    const endsAtMs = this.clock.now().getTime() + Math.min(sessionEndsInMs, LONGEST_SESSION_MS);
    return { inFlight, unreleased, expiresAt: new Date(endsAtMs) };
  }

  async #write(departure: Departure): Promise<void> {
    try {
      await this.#departures.add(departure);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.#unwritten.push(departure);
      throw error;
    }
  }

  async #leave(departures: Departure[]): Promise<void> {
    await retryCollisions(() => this.presence.leave(departures, this.clock.now()));
  }
}

function installationKey(appId: string, installationId: string): string {
  return `${appId}/${installationId.toLowerCase()}`;
}
