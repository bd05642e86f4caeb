import type { StatsListResponse, StatsResponse } from '@postrider/contracts';
import type { NamedCounts, RankedName } from '@postrider/persistence';

/** Ranked names as each list of statistics shows them. */
export const SHOW_NAMES = {
  actions: (names) => names.map(({ name, count }) => ({ id: name ?? '', devices: count })),
  links: (names) => names.map(({ name, count, clicks }) => ({ link: name ?? '', devices: count, clicks })),
  revenue: (names) => names.map(({ name, count, amount }) => ({ currency: name, conversions: count, amount })),
} satisfies { [Of in NamedCounts]: (names: readonly RankedName[]) => StatsResponse[Of] };

/** One list under its own name. */
export function showList(of: NamedCounts, names: readonly RankedName[]): Partial<StatsListResponse> {
  return { [of]: SHOW_NAMES[of](names) };
}
