import { Inject, Injectable } from '@nestjs/common';
import { type Application, ApplicationsRepository, type Database, DATABASE } from '@postrider/persistence';
import type { ApplicationChangesRequest, ApplicationResponse } from '@postrider/contracts';
import { type Clock, DomainError } from '@postrider/domain';
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
  ) {}

  /** Lists all applications, by their ids. */
  async list(): Promise<ApplicationResponse[]> {
    return (await this.applications.list()).map(showApplication);
  }

  /** Checks that an application exists. @throws DomainError NOT_FOUND */
  async check(appId: string): Promise<void> {
    if (!(await this.applications.find(this.database, appId))) throw unknownApplication();
  }

  /** Includes the number of devices that have not proved their user. @throws DomainError NOT_FOUND */
  async find(appId: string): Promise<ApplicationResponse> {
    const found = await this.applications.find(this.database, appId);
    if (!found) throw unknownApplication();
    return Object.assign(showApplication(found), { unprovedDevices: await this.countUnproved.of(appId) });
  }

  /** Changes the settings that `changes` has, and applies them at once. @throws DomainError NOT_FOUND */
  async change(appId: string, changes: ApplicationChangesRequest): Promise<ApplicationResponse> {
    const changed = await this.applications.update(appId, changes, this.clock.now());
    if (!changed) throw unknownApplication();
    await this.effects.apply(appId, changes);
    return showApplication(changed);
  }
}

/** The answer for an unknown application. */
export function unknownApplication(): DomainError {
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
