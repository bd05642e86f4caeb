import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  makeTimedCursor,
  type NewTrackerRequest,
  saidFields,
  timedPlaceOf,
  type TrackerChangesRequest,
  type TrackersQuery,
} from '@postrider/contracts';
import { type Clock, DomainError, InvalidRequest } from '@postrider/domain';
import {
  ApplicationsRepository,
  type Database,
  DATABASE,
  type Executor,
  inTransaction,
  type Tracker,
  type TrackerSettings,
  TrackersRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { FindTargets } from './redirector/find-targets.service';
import { checkTracker } from './check-tracker';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LETTERS = 12;
const NOTHING: Omit<TrackerSettings, 'name'> = {
  deepLink: null,
  destination: null,
  redirect: null,
  platforms: {},
  allowedHosts: [],
};

/** What a tracker of another installation keeps here. */
type TrackerOrigin = Pick<Tracker, 'trackerId' | 'createdAt' | 'updatedAt'>;

/** Makes, reads and changes the trackers of an application. */
@Injectable()
export class Trackers {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly repository: TrackersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly applications: ApplicationsRepository,
    private readonly targets: FindTargets,
  ) {}

  /** @throws InvalidRequest if it leads where the application does not allow */
  async create(appId: string, request: NewTrackerRequest): Promise<Tracker> {
    const settings = await this.#check(this.database, appId, { ...NOTHING, ...saidFields(request) });
    for (;;) {
      const made = await this.repository.insert(appId, { ...settings, trackerId: newTrackerId() }, this.clock.now());
      if (made) return made;
    }
  }

  /**
   * Adds a tracker of another installation under its id, which its links name. Its pages may be on hosts that the
   * application does not allow any more, as they may be where it comes from.
   *
   * @returns false if a tracker of any application has that id already
   * @throws InvalidRequest if it leads where no tracker may
   */
  async restore(appId: string, request: NewTrackerRequest, origin: TrackerOrigin): Promise<boolean> {
    const settings = { ...NOTHING, ...saidFields(request) };
    const checked = await this.#check(this.database, appId, settings).catch((error: unknown) => {
      if (error instanceof InvalidRequest) return checkTracker(settings, { linkHosts: [], linkSchemes: [] });
      throw error;
    });
    const { trackerId, createdAt, updatedAt } = origin;
    const made = await this.repository.insert(appId, { ...checked, trackerId }, createdAt, updatedAt);
    if (made) this.targets.forget(trackerId);
    return made !== null;
  }

  /** @throws InvalidRequest like `create`; DomainError NOT_FOUND */
  async change(appId: string, trackerId: string, request: TrackerChangesRequest): Promise<Tracker> {
    const changed = await inTransaction(this.database, async (executor) => {
      const found = await this.repository.lock(executor, appId, trackerId);
      if (!found) throw unknownTracker();
      const { name, deepLink, destination, redirect, platforms, allowedHosts } = found;
      const before = { name, deepLink, destination, redirect, platforms, allowedHosts };
      const settings = await this.#check(executor, appId, { ...before, ...saidFields(request) });
      return this.repository.update(executor, appId, trackerId, settings, this.clock.now());
    });
    if (!changed) throw unknownTracker();
    this.targets.forget(trackerId);
    return changed;
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, trackerId: string): Promise<Tracker> {
    const found = await this.repository.find(appId, trackerId);
    if (!found) throw unknownTracker();
    return found;
  }

  /** Lists the trackers of an application, newest first. */
  async list(
    appId: string,
    { name, cursor, limit }: TrackersQuery,
  ): Promise<{ trackers: Tracker[]; nextCursor: string | null }> {
    const place = timedPlaceOf(cursor);
    const after = place && { createdAt: place.at, trackerId: place.id };
    const found = await this.repository.list(appId, { name, after, limit: limit + 1 });
    const { entries, nextCursor } = cutList(found, limit, (last) => makeTimedCursor(last.createdAt, last.trackerId));
    return { trackers: entries, nextCursor };
  }

  /** @throws DomainError NOT_FOUND */
  async remove(appId: string, trackerId: string): Promise<void> {
    if (!(await this.repository.delete(appId, trackerId))) throw unknownTracker();
    this.targets.forget(trackerId);
  }

  async #check(executor: Executor, appId: string, settings: TrackerSettings): Promise<TrackerSettings> {
    const application = await this.applications.find(executor, appId);
    if (!application) throw new DomainError('NOT_FOUND', 'There is no such application');
    return checkTracker(settings, application);
  }
}

/** Begins with a digit, so that it can be told from a page's name on a shared host. */
function newTrackerId(): string {
  const letters = Array.from({ length: ID_LETTERS - 1 }, () => LETTERS[randomInt(LETTERS.length)]);
  return `${randomInt(10)}${letters.join('')}`;
}

/** The answer for a tracker that is unknown in this application. */
function unknownTracker(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such tracker');
}
