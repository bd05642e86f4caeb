import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { useCursorList } from '../../api/reading';
import { type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount } from '../../components/format';
import { IconMessage } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import type { StatsListResponse } from '@postrider/server/document';

/** What people could choose: the lists of a message's statistics. */
export const CHOICE_LISTS = ['actions', 'links', 'revenue'] as const;

export type ChoiceList = (typeof CHOICE_LISTS)[number];

/** An item of one of the lists. */
type ChoiceItem = {
  [List in ChoiceList]: NonNullable<StatsListResponse[List]>[number];
}[ChoiceList];

/** One choice as shown: its name, and its numbers in the order of the list's headings. */
export interface Choice {
  name: string;
  counts: readonly number[];
}

/** The title of each list, and the heading before its columns of numbers. */
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

const COLUMNS: Record<ChoiceList, readonly Column<ChoiceItem>[]> = {
  actions: columnsOf('actions'),
  links: columnsOf('links'),
  revenue: columnsOf('revenue'),
};

/** Every action, link or currency that people chose of a message, those most chosen first. */
export function ChoicesPage(props: { kind: 'messages' | 'campaigns'; messageId: string; list: string }): ReactNode {
  const { kind, messageId } = props;
  const list = CHOICE_LISTS.find((known) => known === props.list);
  if (list === undefined) return <Redirect to={`/${kind}/${messageId}`} replace />;
  return <Choices kind={kind} messageId={messageId} list={list} />;
}

function Choices(props: { kind: 'messages' | 'campaigns'; messageId: string; list: ChoiceList }): ReactNode {
  const { kind, messageId, list } = props;
  const { title } = CHOICE_WORDS[list];
  const found = useCursorList('/api/push/messages/{id}/stats/{list}', list, {
    params: { path: { id: messageId, list } },
  });
  return (
    <>
      <PageHeader
        title={title}
        back={{ href: `/${kind}/${messageId}`, label: kind === 'messages' ? 'The message' : 'The campaign' }}
        description="Most chosen first."
      />
      <SectionCard title="Choices" isFlush>
        <DataTable
          label={title}
          columns={COLUMNS[list]}
          list={found}
          rowKey={(item) => choiceOf(item).name}
          empty={
            <EmptyState icon={IconMessage} title="No choices yet">
              No device has reported a choice yet.
            </EmptyState>
          }
        />
      </SectionCard>
    </>
  );
}

function columnsOf(list: ChoiceList): Column<ChoiceItem>[] {
  return [
    {
      key: 'name',
      header: 'Chosen',
      width: 'minmax(0, 3fr)',
      render: (item) => <Typed text={choiceOf(item).name} isMono lines={2} />,
    },
    ...CHOICE_WORDS[list].heads.map((header, place): Column<ChoiceItem> => ({
      key: header,
      header,
      width: '7rem',
      align: 'end',
      isNamedOnPhone: true,
      render: (item) => formatCount(choiceOf(item).counts[place] ?? 0),
    })),
  ];
}
