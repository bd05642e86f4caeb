import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { MessageSummaryResponse, PlannedCampaignResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount } from '../../components/format';
import { IconPlus, IconSearch, IconSend, IconSpeakerphone } from '../../components/icons';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { MessageCell, NamedCell } from '../message/message-cell';
import { SearchBar, useSearched } from '../message/search-bar';
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
  {
    key: 'count',
    header: 'Devices',
    isNamedOnPhone: true,
    width: '7rem',
    align: 'end',
    render: (campaign) => ('content' in campaign ? formatCount(campaign.count) : '–'),
  },
  {
    key: 'at',
    header: 'When',
    width: '9rem',
    align: 'end',
    render: (campaign) => <Moment at={'content' in campaign ? campaign.acceptedAt : campaign.createdAt} />,
  },
];

/** Sends to segments, and campaigns that are made and not sent yet, newest first. */
export function CampaignList(): ReactNode {
  const searched = useSearched(FIELDS);
  const list = useCursorList('/api/push/campaigns', 'campaigns', {
    params: { query: searched ? { [searched.name]: searched.text } : {} },
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
    <>
      <PageHeader
        title="Campaigns"
        description="What was sent to segments and targets. A campaign is known by its track id."
        actions={
          maySend && (
            <Group gap="sm">
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => setMaking(true)}
              >
                Plan one
              </Button>
              {compose}
            </Group>
          )
        }
      />
      <NewCampaign isOpen={isMaking} onClose={() => setMaking(false)} />
      <SearchBar fields={FIELDS} />
      <SectionCard isFlush>
        <DataTable
          label="Campaigns"
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
        />
      </SectionCard>
    </>
  );
}
