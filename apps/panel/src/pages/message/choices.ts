import type { StatsListResponse } from '../../api/generated/document';

/** What people could choose: the lists of a message's statistics. */
export const CHOICE_LISTS = ['actions', 'links', 'revenue'] as const;

export type ChoiceList = (typeof CHOICE_LISTS)[number];

/** What may stand in one of the lists. */
export type ChoiceItem = {
  [List in ChoiceList]: NonNullable<StatsListResponse[List]>[number];
}[ChoiceList];

/** One choice as it is shown: its name, and its numbers in the order of the list's heads. */
export interface Choice {
  name: string;
  counts: readonly number[];
}

/** How each list is headed, and what stands before its columns of numbers. */
export const CHOICE_WORDS: Record<ChoiceList, { title: string; heads: readonly string[] }> = {
  actions: { title: 'Actions', heads: ['Devices'] },
  links: { title: 'Links', heads: ['Devices', 'Clicks'] },
  revenue: { title: 'Conversions', heads: ['Conversions', 'Revenue'] },
};

/** An item of any of the lists as it is shown. */
export function choiceOf(item: ChoiceItem): Choice {
  if ('link' in item) return { name: item.link, counts: [item.devices, item.clicks] };
  if ('amount' in item) return { name: item.currency ?? 'no currency', counts: [item.conversions, item.amount] };
  return { name: item.id, counts: [item.devices] };
}
