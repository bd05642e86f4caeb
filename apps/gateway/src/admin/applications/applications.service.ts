import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  AccessTokensRepository,
  type Application,
  ApplicationsRepository,
  type Database,
  DATABASE,
  DevicesRepository,
  PacingRepository,
  PresenceRepository,
  TABLES_OF_APPLICATION,
  VendorCredentialsRepository,
} from '@postrider/persistence';
import { LRUCache } from 'lru-cache';
import type { ApplicationChangesRequest, ApplicationResponse } from '@postrider/contracts';
import { EdgeHints } from '@postrider/queues';
import { type Clock, DomainError, MINUTE_MS } from '@postrider/domain';
import { CLOCK } from '@postrider/platform';
import { UserIdentity } from '../../devices/registration/user-identity.service';

const APPLICATIONS = 1_000;
const PATIENCE_MS = 1_000;
const LONGEST_KEPT_MS = MINUTE_MS;
/** A count is kept this many times as long as it took: it never costs more than a tenth of one connection. */
const KEPT_TIMES = 10;

/** Counts an application's devices that have not proved their user: exactly, as long as that is quick. */
@Injectable()
export class CountUnproved {
  readonly #counts = new LRUCache<string, { count: number; freshUntil: number }>({
    max: APPLICATIONS,
    ttl: LONGEST_KEPT_MS,
  });
  readonly #underWay = new Map<string, Promise<number | null>>();

  constructor(private readonly devices: DevicesRepository) {}

  /** @returns null when there is none yet: it is being counted */
  async of(appId: string): Promise<number | null> {
    const now = performance.now();
    const known = this.#counts.get(appId);
    if (known && known.freshUntil > now) return known.count;
    const counting = this.#underWay.get(appId) ?? this.#count(appId);
    return Promise.race([counting, pause(PATIENCE_MS, known?.count ?? null, { ref: false })]);
  }

  #count(appId: string): Promise<number | null> {
    const startedAt = performance.now();
    const counting = this.devices
      .countUnproved(appId)
      .then((count) => {
        const now = performance.now();
        const freshUntil = now + Math.min(LONGEST_KEPT_MS, KEPT_TIMES * (now - startedAt));
        this.#counts.set(appId, { count, freshUntil });
        return count;
      })
      .catch(() => null)
      .finally(() => this.#underWay.delete(appId));
    this.#underWay.set(appId, counting);
    return counting;
  }
}

/** What changed settings of an application mean for what is under way. */
@Injectable()
export class SettingsEffects {
  constructor(
    private readonly edgeHints: EdgeHints,
    private readonly pacing: PacingRepository,
    private readonly presence: PresenceRepository,
  ) {}

  /**
   * Ends connections of devices that have not proved their user where that is required now, and has the open pages keep to new
   * limits. To be called after the changes are committed.
   */
  async apply(appId: string, changes: ApplicationChangesRequest): Promise<void> {
    if (changes.requireUserHash) this.edgeHints.tellClosures(await this.presence.closeUnproved(appId));
    if (changes.devicesPerSecond || changes.quietHours) await this.pacing.steerOpenPages(appId);
  }
}

/** Reads and changes applications. */
@Injectable()
export class Applications {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly applications: ApplicationsRepository,
    private readonly identity: UserIdentity,
    private readonly effects: SettingsEffects,
    private readonly countUnproved: CountUnproved,
  ) {}

  async list(): Promise<ApplicationResponse[]> {
    return (await this.applications.list()).map(showApplication);
  }

  /** With how many devices have not proved their user. @throws DomainError NOT_FOUND */
  async find(appId: string): Promise<ApplicationResponse> {
    const found = await this.applications.find(this.database, appId);
    if (!found) throw unknownApplication();
    return Object.assign(showApplication(found), { unprovedDevices: await this.countUnproved.of(appId) });
  }

  /** @throws DomainError NOT_FOUND */
  async change(appId: string, changes: ApplicationChangesRequest): Promise<ApplicationResponse> {
    const changed = await this.applications.update(appId, changes, this.clock.now());
    if (!changed) throw unknownApplication();
    this.identity.forget(appId);
    await this.effects.apply(appId, changes);
    return showApplication(changed);
  }
}

/** The answer for an application that there is not. */
function unknownApplication(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such application');
}

function showApplication({ appId, createdAt, updatedAt, ...settings }: Application): ApplicationResponse {
  return {
    id: appId,
    name: settings.name,
    defaultAlertText: settings.defaultAlertText,
    defaultRegion: settings.defaultRegion,
    requireUserHash: settings.requireUserHash,
    clientTags: settings.clientTags,
    protectedAttributes: settings.protectedAttributes,
    promoExhausted: settings.promoExhausted,
    requestsPerSecond: settings.requestsPerSecond,
    linkHosts: settings.linkHosts,
    linkSchemes: settings.linkSchemes,
    matchByAddress: settings.matchByAddress,
    deferredLinkMinutes: settings.deferredLinkMinutes,
    conversionWindowHours: settings.conversionWindowHours,
    devicesPerSecond: settings.devicesPerSecond,
    quietHours: settings.quietHours,
    defaultTimeZone: settings.defaultTimeZone,
    frequencyCaps: settings.frequencyCaps,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

const ROWS_PER_STEP = 20_000;

/**
 * Removes applications with everything that is theirs. First nobody can send any more and no vendor is reached; then the
 * rows go in steps, however many there are. Cut off in the middle, the next call goes on.
 */
@Injectable()
export class RemoveApplication {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly credentials: VendorCredentialsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly accessTokens: AccessTokensRepository,
    private readonly applications: ApplicationsRepository,
  ) {}

  /** @throws DomainError NOT_FOUND */
  async remove(appId: string): Promise<void> {
    if (!(await this.applications.find(this.database, appId))) throw unknownApplication();
    await this.accessTokens.revokeAll(appId, this.clock.now());
    await this.credentials.deleteAll(appId);
    for (const table of TABLES_OF_APPLICATION) {
      while ((await this.applications.deleteRows(appId, table, ROWS_PER_STEP)) === ROWS_PER_STEP);
    }
    await this.applications.delete(appId);
  }
}
