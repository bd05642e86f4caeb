import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, ApplicationsRepository, PresenceRepository, latelyGuarded, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { EdgeHints } from '@postrider/queues';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** A statement that did not see the new setting ends within a minute. */
const LATELY_MS = 120_000;

/**
 * Closes the connections of devices that have not proved their user, after their application has begun to require that. The
 * gateway closes them at once, but not those that were being made at that moment, and none if it died then. This task closes
 * the rest. Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class CloseUnprovedConnections implements MaintenanceTask {
  readonly name = 'close-unproved-connections';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.closeUnprovedConnections;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly edgeHints: EdgeHints,
    private readonly applications: ApplicationsRepository,
    private readonly presence: PresenceRepository,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return latelyGuarded(this.#since());
  }

  async run(): Promise<boolean> {
    for (const appId of await this.applications.findLatelyGuarded(this.#since())) {
      this.edgeHints.tellClosures(await this.presence.closeUnproved(appId));
    }
    return false;
  }

  #since(): Date {
    return new Date(this.clock.now().getTime() - LATELY_MS);
  }
}
