import {
  CountField,
  ListField,
  NextCursorField,
  ObjectField,
  ObjectsField,
  TextField,
  TextsField,
  TimeField,
  WordField,
} from '../validation/answers';
import { STATS_INTERVALS, type StatsInterval } from '../statistics/stats.request';
import { TrackerPlatforms } from './tracker.request';

/** A tracker as its application gets it. */
export class TrackerResponse {
  @TextField() id!: string;
  @TextField({ description: 'the link; `deep_link` and `redirect` can be added to it' }) url!: string;
  @TextField() name!: string;
  @TextField({ isNullable: true }) deepLink!: string | null;
  @TextField({ isNullable: true }) destination!: string | null;
  @TextField({ isNullable: true }) redirect!: string | null;
  @ObjectField(() => TrackerPlatforms) platforms!: TrackerPlatforms;
  @TextsField() allowedHosts!: string[];
  @TimeField() createdAt!: string;
  @TimeField() updatedAt!: string;
}

/** The answer of `GET /api/trackers`. */
export class TrackersResponse {
  @ListField(() => TrackerResponse) trackers!: TrackerResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** What happened with a tracker. */
export class TrackerTotals {
  @CountField({ description: 'all clicks of people, robots left out' }) clicks!: number;
  @CountField({ description: 'visitors, each counted once a day' }) visitors!: number;
  @CountField({ description: 'installations that received a deep link clicked before the installation' })
  installs!: number;
  @CountField({ description: 'installations whose app opened the deep link' }) opened!: number;
  @CountField({ description: 'installations whose app did not open it' }) declined!: number;
}

/** What happened with a tracker in an hour or on a day. */
export class TrackerTotalsAt extends TrackerTotals {
  @TimeField() at!: string;
}

/** The answer of `GET /api/trackers/:id/stats`. */
export class TrackerStatsResponse {
  @TextField() id!: string;
  @TextField() name!: string;
  @TimeField() from!: string;
  @TimeField() to!: string;
  @WordField(STATS_INTERVALS) interval!: StatsInterval;
  @ObjectField(() => TrackerTotals) totals!: TrackerTotals;
  @ObjectsField(() => TrackerTotals) byPlatform!: Record<string, TrackerTotals>;
  @ListField(() => TrackerTotalsAt) series!: TrackerTotalsAt[];
}
