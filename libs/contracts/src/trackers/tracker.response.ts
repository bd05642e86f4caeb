import type { TrackerPlatforms } from './tracker.request';

/** A tracker as its application sees it. */
export interface TrackerResponse {
  id: string;
  /** The link itself; a `deep_link` and a `redirect` may be added to it. */
  url: string;
  name: string;
  deepLink: string | null;
  destination: string | null;
  redirect: string | null;
  platforms: TrackerPlatforms;
  allowedHosts: string[];
  createdAt: string;
  updatedAt: string;
}

/** What happened with a tracker. */
export interface TrackerTotals {
  /** Every click of a person. */
  clicks: number;
  /** Visitors, each counted once a day. */
  visitors: number;
  /** Installations that took a deep link clicked before them. */
  installs: number;
  /** What their apps decided about it. */
  opened: number;
  declined: number;
}

/** The answer of `GET /api/trackers/:id/stats`. */
export interface TrackerStatsResponse {
  id: string;
  name: string;
  from: string;
  to: string;
  interval: 'hour' | 'day';
  totals: TrackerTotals;
  byPlatform: Record<string, TrackerTotals>;
  series: ({ at: string } & TrackerTotals)[];
}
