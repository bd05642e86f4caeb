import { Inject, Injectable } from '@nestjs/common';
import type { TrackerStatsQuery, TrackerStatsResponse, TrackerTotals } from '@postrider/contracts';
import { type Clock, DAY_MS } from '@postrider/domain';
import { type TrackerCount, TrackersRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { Trackers } from './trackers.service';

const NAME_OF: Record<TrackerCount['kind'], keyof TrackerTotals> = {
  click: 'clicks',
  visit: 'visitors',
  install: 'installs',
  opened: 'opened',
  declined: 'declined',
};
type Counts = Record<keyof TrackerTotals, number>;

/** How far back the answer goes without `from`, so that its size is limited. */
const DEFAULT_SPAN_MS = { hour: 30 * DAY_MS, day: 730 * DAY_MS };

/** Reads the statistics of trackers. */
@Injectable()
export class ReadTrackerStats {
  constructor(
    private readonly repository: TrackersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly trackers: Trackers,
  ) {}

  /** @throws DomainError NOT_FOUND */
  async read(
    appId: string,
    trackerId: string,
    { from, to, interval }: TrackerStatsQuery,
  ): Promise<TrackerStatsResponse> {
    const { name, createdAt } = await this.trackers.find(appId, trackerId);
    const until = to ?? this.clock.now();
    const since = from ?? new Date(Math.max(createdAt.getTime(), until.getTime() - DEFAULT_SPAN_MS[interval]));
    const counts = await this.repository.count(appId, trackerId, { since, until, interval });
    const totals = nothing();
    const byPlatform: Record<string, TrackerTotals> = {};
    const series = new Map<string, Counts>();
    for (const { kind, from: at, platform, count } of counts) {
      const moment = at.toISOString();
      const stretch = series.get(moment) ?? nothing();
      series.set(moment, stretch);
      for (const sum of [totals, (byPlatform[platform] ??= nothing()), stretch]) sum[NAME_OF[kind]] += count;
    }
    return {
      id: trackerId,
      name,
      from: since.toISOString(),
      to: until.toISOString(),
      interval,
      totals,
      byPlatform,
      series: [...series].map(([at, counted]) => ({ at, ...counted })),
    };
  }
}

function nothing(): Counts {
  return { clicks: 0, visitors: 0, installs: 0, opened: 0, declined: 0 };
}
