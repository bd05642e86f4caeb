import { Inject, Injectable } from '@nestjs/common';
import type { VendorHealthResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import { RoutesRepository, type VendorHealth } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';

/** Shows the health of an application's vendors, combined from the reports of all workers. */
@Injectable()
export class VendorHealths {
  constructor(
    private readonly routes: RoutesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Reads the health of each vendor for which the application has credentials, or of which anything is known. */
  async read(appId: string): Promise<VendorHealthResponse[]> {
    return (await this.routes.readHealth(appId, this.clock.now())).map(show);
  }
}

function show(health: VendorHealth): VendorHealthResponse {
  const { vendor, state, heldPages, hasCredentials, credentials, breaker, lastError, quarantine, workers } = health;
  const { deadTokens } = health;
  return {
    vendor,
    state,
    since: timeOf(health.since),
    openUntil: timeOf(health.openUntil),
    heldPages,
    waitingDevices: health.waitingDevices,
    hasCredentials,
    credentials: credentials && { ...credentials, since: credentials.since.toISOString() },
    breaker: breaker && { ...breaker, since: breaker.since.toISOString() },
    lastError: lastError && { ...lastError, at: lastError.at.toISOString() },
    quarantine: quarantine && { ...quarantine, since: timeOf(quarantine.since) },
    deadTokens: deadTokens && { ...deadTokens, nextAt: deadTokens.nextAt.toISOString() },
    workers: workers.map((worker) => ({
      ...worker,
      since: worker.since.toISOString(),
      openUntil: timeOf(worker.openUntil),
      failingSince: timeOf(worker.failingSince),
      heartbeatAt: worker.heartbeatAt.toISOString(),
    })),
  };
}

function timeOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
