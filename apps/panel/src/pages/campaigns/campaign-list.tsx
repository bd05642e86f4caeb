import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { MessageSummaryResponse, PlannedCampaignResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { countColumn, momentColumn } from '../../components/columns';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconSearch, IconSend, IconSpeakerphone } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { SearchBar, useSearched } from '../../components/search-bar';
import { StateBadge } from '../../components/state-badge';
import { MessageCell, NamedCell } from '../message/message-cell';
import { NewCampaign } from './new-campaign';

type Campaign = MessageSummaryResponse | PlannedCampaignResponse;

const FIELDS = [{ name: 'trackId', label: 'Track id' }];

const COLUMNS: readonly Column<Campaign>[] = [
  {
    key: 'campaign',
    header: 'Campaign',
    width: 'minmax(0, 2.4fr)',
    render: (campaign) =>
      'content' in campaign ? (
        <MessageCell content={campaign.content} trackId={campaign.trackId} />
      ) : (
        <NamedCell name={campaign.name ?? campaign.trackId} trackId={campaign.trackId} />
      ),
  },
  {
    key: 'status',
    header: 'State',
    width: '9rem',
    render: (campaign) =>
      'content' in campaign ? (
        <StateBadge state={campaign.status} />
      ) : (
        <StateBadge state="planned" label="not sent yet" />
      ),
  },
  countColumn('Devices', (campaign) => ('content' in campaign ? campaign.count : null), { width: '7rem' }),
  momentColumn('When', (campaign) => ('content' in campaign ? campaign.acceptedAt : campaign.createdAt), {
    width: '9rem',
  }),
];

/** Sends to segments, and campaigns that are made and not sent yet, newest first. */
export function CampaignList(): ReactNode {
  const searched = useSearched(FIELDS);
  const list = useCursorList('/api/push/campaigns', 'campaigns', {
    params: { query: searched?.query ?? {} },
    pollMs: 5_000,
  });
  const maySend = useCan('send');
  const [isMaking, setMaking] = useState(false);
  const compose = maySend && (
    <Button component={Link} href="/compose?to=segment" leftSection={<IconSend size={16} aria-hidden />}>
      Compose
    </Button>
  );
  return (
    <ListPage
      title="Campaigns"
      description="What was sent to segments and targets. A campaign is known by its track id."
      actions={
        maySend && (
          <Group gap="sm">
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
              Plan one
            </Button>
            {compose}
          </Group>
        )
      }
      search={<SearchBar fields={FIELDS} />}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/campaigns/${id}`}
      empty={
        searched ? (
          <EmptyState icon={IconSearch} title="There is no campaign with this track id">
            The search looks for exactly what you type; case matters.
          </EmptyState>
        ) : (
          <EmptyState icon={IconSpeakerphone} title="No campaign yet" action={compose}>
            Choose who gets a message by rules, see how many devices that are, and send it to all of them.
          </EmptyState>
        )
      }
    >
      <NewCampaign isOpen={isMaking} onClose={() => setMaking(false)} />
    </ListPage>
  );
}
