import { Inject, Injectable } from '@nestjs/common';
import { type Application, ApplicationsRepository, type Database, DATABASE } from '@postrider/persistence';
import type { ApplicationChangesRequest, ApplicationResponse } from '@postrider/contracts';
import { type Clock, DomainError } from '@postrider/domain';
import { RemoveApplication } from '@postrider/maintenance';
import { CLOCK } from '@postrider/platform';
import { CountUnproved } from './count-unproved.service';
import { SettingsEffects } from './settings-effects.service';

/** Reads and changes applications. */
@Injectable()
export class Applications {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly applications: ApplicationsRepository,
    private readonly effects: SettingsEffects,
    private readonly countUnproved: CountUnproved,
    private readonly removeApplication: RemoveApplication,
  ) {}

  /** Lists all applications, by their ids. */
  async list(): Promise<ApplicationResponse[]> {
    return (await this.applications.list()).map((found) => this.#show(found));
  }

  /** Checks that an application exists. @throws DomainError NOT_FOUND */
  async check(appId: string): Promise<void> {
    await this.#find(appId);
  }

  /**
   * Checks that an application exists and stays.
   *
   * @param createdAt when the one that is meant was made: another may have its id by now
   * @returns when it was made
   * @throws DomainError NOT_FOUND; CONFLICT if it is being removed
   */
  async checkStays(appId: string, createdAt?: Date): Promise<Date> {
    const found = await this.#find(appId);
    if (createdAt !== undefined && found.createdAt.getTime() !== createdAt.getTime()) throw unknownApplication();
    if (found.removalBeganAt) throw new DomainError('CONFLICT', 'The application is being removed');
    return found.createdAt;
  }

  /** Includes the number of devices that have not proved their user. @throws DomainError NOT_FOUND */
  async find(appId: string): Promise<ApplicationResponse> {
    const found = await this.#find(appId);
    return Object.assign(this.#show(found), { unprovedDevices: await this.countUnproved.of(appId) });
  }

  /**
   * @param revision the one that the change was made from; undefined: any
   * @throws DomainError NOT_FOUND; CONFLICT if it is being removed; EDIT_CONFLICT with the present settings if they have
   * another revision
   */
  async change(appId: string, changes: ApplicationChangesRequest, revision?: number): Promise<ApplicationResponse> {
    await this.checkStays(appId);
    const changed = await this.applications.update(appId, changes, this.clock.now(), revision);
    if (!changed) throw await this.#changedSince(appId);
    await this.effects.apply(appId, changes);
    return this.#show(changed);
  }

  /**
   * Removes an application with all its data, and returns when its last row is deleted.
   *
   * @throws DomainError NOT_FOUND; UNAVAILABLE if this gateway stops meanwhile: an audience worker continues
   */
  async remove(appId: string): Promise<void> {
    if (!(await this.removeApplication.begin(appId))) throw unknownApplication();
    this.effects.removalBegan(appId);
    await this.removeApplication.complete(appId);
  }

  #show(found: Application): ApplicationResponse {
    return showApplication(found, this.clock.now());
  }

  async #find(appId: string): Promise<Application> {
    const found = await this.applications.find(this.database, appId);
    if (!found) throw unknownApplication();
    return found;
  }

  async #changedSince(appId: string): Promise<DomainError> {
    const found = await this.applications.find(this.database, appId);
    if (!found) return unknownApplication();
    const current = this.#show(found);
    return new DomainError('EDIT_CONFLICT', 'Somebody else has changed the settings since', { current });
  }
}

/** The answer for an application that does not exist. */
export function unknownApplication(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such application');
}

function showApplication(
  { appId, createdAt, updatedAt, removalBeganAt, formerIdentityKeyUntil, ...settings }: Application,
  now: Date,
): ApplicationResponse {
  const isFormerKeyValid = formerIdentityKeyUntil !== null && formerIdentityKeyUntil > now;
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
    revision: settings.revision,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    removalBeganAt: removalBeganAt?.toISOString() ?? null,
    formerIdentityKeyValidUntil: isFormerKeyValid ? formerIdentityKeyUntil.toISOString() : null,
  };
}
