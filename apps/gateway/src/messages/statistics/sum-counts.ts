import type { EngagementTotals, StatsResponse } from '@postrider/contracts';
import type { MessageCountKind, MessageSum } from '@postrider/persistence';

const NAME_OF: Record<MessageCountKind, keyof EngagementTotals> = {
  delivered: 'delivered',
  shown: 'shown',
  opened: 'opened',
  dismissed: 'dismissed',
  action: 'actions',
  link: 'links',
  click: 'clicks',
  conversion: 'conversions',
};

type Counts = Record<keyof EngagementTotals, number>;

/** Sums by hour and platform, added up in every way that they are shown. */
export function sumCounts(sums: readonly MessageSum[]): Pick<StatsResponse, 'totals' | 'byPlatform' | 'series'> {
  const totals = nothing();
  const byPlatform = new Map<string, Counts>();
  const series = new Map<string, Counts>();
  for (const { kind, from, platform, count } of sums) {
    for (const sum of [totals, entry(byPlatform, platform), entry(series, from.toISOString())]) {
      sum[NAME_OF[kind]] += count;
    }
  }
  return {
    totals,
    byPlatform: Object.fromEntries(byPlatform),
    series: [...series].map(([at, counted]) => ({ at, ...counted })),
  };
}

function nothing(): Counts {
  return { delivered: 0, shown: 0, opened: 0, dismissed: 0, actions: 0, links: 0, clicks: 0, conversions: 0 };
}

function entry(map: Map<string, Counts>, key: string): Counts {
  const known = map.get(key) ?? nothing();
  map.set(key, known);
  return known;
}
