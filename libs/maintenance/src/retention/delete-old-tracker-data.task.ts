import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import { deleteOld, LOCK_IDS, TrackersRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { retainedSince } from './retained-since';

/**
 * What clicks on links left behind: deletes deferred links whose time is over, visitors after a day, and handovers and opened links
 * past `RETENTION_DAYS`. Every hour.
 */
@Injectable()
export class DeleteOldTrackerData implements MaintenanceTask {
  readonly name = 'delete-old-tracker-data';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldTrackerData;

  constructor(
    private readonly trackers: TrackersRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const now = this.clock.now();
    const before = retainedSince(now, this.config);
    const dayBefore = new Date(now.getTime() - DAY_MS);
    const { trackers } = this;
    await deleteOld((...of) => trackers.deleteExpiredLinks(...of), now, signal);
    await deleteOld((...of) => trackers.deleteOldVisitors(...of), dayBefore, signal);
    await deleteOld((...of) => trackers.deleteOldHandovers(...of), before, signal);
    await deleteOld((...of) => trackers.deleteOldLinkOpens(...of), before, signal);
    return false;
  }
}
