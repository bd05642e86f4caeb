/**
 * What people did with a message. Each is a number of devices, every one counted once a message however often it reported, at
 * the time of its first report; but for `clicks`, which is every click on a tracked link, and `conversions`.
 */
export interface EngagementTotals {
  delivered: number;
  shown: number;
  opened: number;
  dismissed: number;
  /** Devices by action, added up: one that took two actions counts twice. */
  actions: number;
  /** Devices by link, added up. */
  links: number;
  clicks: number;
  conversions: number;
}

/** Revenue in one currency. */
export interface RevenueTotal {
  /** Null when the app named none. */
  currency: string | null;
  conversions: number;
  amount: number;
}

/** The answer of `GET /api/push/messages/:id/stats` and `/campaigns/:id/stats`. */
export interface StatsResponse {
  id: string;
  trackId: string | null;
  /** Of a campaign: how many messages it has, by its tracking id. */
  messages: number;
  /** Devices that it was sent to. */
  count: number;
  from: string;
  to: string;
  interval: 'hour' | 'day';
  totals: EngagementTotals;
  actions: { id: string; devices: number }[];
  links: { link: string; devices: number; clicks: number }[];
  revenue: RevenueTotal[];
  byPlatform: Record<string, EngagementTotals>;
  series: ({ at: string } & EngagementTotals)[];
  /** How many more there are than are listed here: those least chosen. */
  more: { actions: number; links: number; revenue: number };
}

/** The answer of `GET …/stats/actions`, `…/stats/links` and `…/stats/revenue`: one of the three, those most chosen first. */
export interface StatsListResponse {
  actions?: StatsResponse['actions'];
  links?: StatsResponse['links'];
  revenue?: StatsResponse['revenue'];
  /** How many there are in all. */
  total: number;
  nextCursor: string | null;
}
