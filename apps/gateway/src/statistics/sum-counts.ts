import type { EngagementTotals, RevenueTotal, StatsResponse } from '@postrider/contracts';
import type { MessageCount, MessageCountKind } from '@postrider/persistence';

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
/** Of actions and links, those most chosen. */
const MOST_NAMED = 200;

/** Counts by hour and platform, added up in every way that they are shown. */
export function sumCounts(
  counts: readonly MessageCount[],
): Pick<StatsResponse, 'totals' | 'actions' | 'links' | 'revenue' | 'byPlatform' | 'series'> {
  const totals = nothing();
  const byPlatform = new Map<string, EngagementTotals>();
  const series = new Map<string, EngagementTotals>();
  const named: Named = { actions: new Map(), links: new Map(), revenue: new Map() };
  for (const counted of counts) {
    const { kind, from, platform, count } = counted;
    for (const sum of [totals, entry(byPlatform, platform, nothing), entry(series, from.toISOString(), nothing)]) {
      sum[NAME_OF[kind]] += count;
    }
    addNamed(named, counted);
  }
  return {
    totals,
    actions: most([...named.actions].map(([id, counted]) => ({ id, ...counted }))),
    links: most([...named.links].map(([link, counted]) => ({ link, ...counted }))),
    revenue: [...named.revenue.values()],
    byPlatform: Object.fromEntries(byPlatform),
    series: [...series].map(([at, counted]) => ({ at, ...counted })),
  };
}

/** What is counted by a name: of an action, a link, a currency. */
interface Named {
  actions: Map<string, { devices: number }>;
  links: Map<string, { devices: number; clicks: number }>;
  revenue: Map<string | null, RevenueTotal>;
}

function addNamed({ actions, links, revenue }: Named, { kind, name, count, amount }: MessageCount): void {
  const text = name ?? '';
  if (kind === 'action') entry(actions, text, () => ({ devices: 0 })).devices += count;
  else if (kind === 'link') entry(links, text, noLink).devices += count;
  else if (kind === 'click') entry(links, text, noLink).clicks += count;
  else if (kind === 'conversion') {
    const sum = entry(revenue, name, () => ({ currency: name, conversions: 0, amount: 0 }));
    sum.conversions += count;
    sum.amount += amount;
  }
}

function nothing(): EngagementTotals {
  return { delivered: 0, shown: 0, opened: 0, dismissed: 0, actions: 0, links: 0, clicks: 0, conversions: 0 };
}

function noLink(): { devices: number; clicks: number } {
  return { devices: 0, clicks: 0 };
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function most<T extends { devices: number }>(named: T[]): T[] {
  return named.sort((one, other) => other.devices - one.devices).slice(0, MOST_NAMED);
}
