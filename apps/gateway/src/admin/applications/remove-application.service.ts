import { Inject, Injectable } from '@nestjs/common';
import {
  AccessTokensRepository,
  ApplicationsRepository,
  type Database,
  DATABASE,
  TABLES_OF_APPLICATION,
  VendorCredentialsRepository,
} from '@postrider/persistence';
import type { Clock } from '@postrider/domain';
import { CLOCK } from '@postrider/platform';
import { CallerLookup } from '../../auth/caller-lookup.service';
import { unknownApplication } from './applications.service';

const ROWS_PER_STEP = 20_000;

/**
 * Removes applications with all their data. First their access tokens and vendor credentials go: nobody can send any more
 * (over another gateway for a few seconds yet), and no vendor is called. Then the rows are deleted in steps, however many
 * there are. If a call is interrupted, the next one continues.
 */
@Injectable()
export class RemoveApplication {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly vendorCredentials: VendorCredentialsRepository,
    private readonly callers: CallerLookup,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly accessTokens: AccessTokensRepository,
    private readonly applications: ApplicationsRepository,
  ) {}

  /** Removes the application, and returns when its last row is deleted. @throws DomainError NOT_FOUND */
  async remove(appId: string): Promise<void> {
    if (!(await this.applications.find(this.database, appId))) throw unknownApplication();
    await this.accessTokens.revokeAll(appId, this.clock.now());
    this.callers.forget(appId);
    await this.vendorCredentials.deleteAll(appId);
    for (const table of TABLES_OF_APPLICATION) {
      while ((await this.applications.deleteRows(appId, table, ROWS_PER_STEP)) === ROWS_PER_STEP);
    }
    await this.applications.delete(appId);
  }
}
