import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button, Group, Text, TextInput } from '@mantine/core';
import type { CampaignSummaryResponse, PlannedCampaignResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { countColumn, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconSearch, IconSend, IconSpeakerphone } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { SearchBar, useSearched } from '../../components/search-bar';
import { formatCount, formatShare } from '../../components/format';
import { StateBadge } from '../../components/state-badge';
import { isScheduled } from '../../model/scheduled-message';
import { MessageCell, NamedCell } from '../message/message-cell';
import { useApi, useAppId, keyOf } from '../../api/client';
import { gatewayNow } from '../../api/gateway-clock';
import { SendPages } from '../message/send-pages';
import { SEND_MOMENT, SendState } from '../message/send-state';
import { type KindLabels, SendFilters, useSendFilters } from '../message/send-filters';
import { CampaignTrend } from './campaign-trend';
import classes from './campaigns-page.module.css';
import { NewCampaignRequest } from '../../api/generated/limits';
import { Dialog, DialogForm } from '../../components/dialog';
import { useForm } from '../../components/use-form';

/** Sends to segments: the list, one of them, one device of it, all that people chose of it. */
export function CampaignsPage(): ReactNode {
  return <SendPages kind="campaigns" list={<CampaignList />} />;
}

type Campaign = CampaignSummaryResponse | PlannedCampaignResponse;

const FIELDS = [{ name: 'trackId', label: 'Track id' }];

const KINDS: KindLabels = { query: 'To a segment', users: 'To everyone', notify: 'Vendor push only' };

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
      'content' in campaign ? <SendState send={campaign} /> : <StateBadge state="planned" label="not sent yet" />,
  },
  countColumn('Devices', (campaign) => ('content' in campaign ? campaign.count : null), { width: '7rem' }),
  rateColumn('Opened', ({ opened }) => opened),
  rateColumn('Clicked', ({ clicked }) => clicked),
  SEND_MOMENT,
];

/** A column with a count, and below it the share of the devices of the row. */
function rateColumn(
  header: string,
  countOf: (engagement: CampaignSummaryResponse['engagement']) => number,
): Column<Campaign> {
  return {
    key: header,
    header,
    width: '6.5rem',
    align: 'end',
    isBelowOnPhone: true,
    render: (campaign) => {
      if (!('content' in campaign) || campaign.count === 0 || isScheduled(campaign, gatewayNow())) return '–';
      const count = countOf(campaign.engagement);
      return (
        <>
          {formatCount(count)}
          <span className={classes.share}>{formatShare(count, campaign.count)} of devices</span>
        </>
      );
    },
  };
}

/** Sends to segments, and campaigns that are made and not sent yet, newest first. */
export function CampaignList(): ReactNode {
  const searched = useSearched(FIELDS);
  const filters = useSendFilters();
  const isNarrowed = searched !== null || Object.keys(filters).length > 0;
  const list = useCursorList('/api/push/campaigns', 'campaigns', {
    params: { query: { ...searched?.query, ...filters } },
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
      description="Messages to segments and targets. The track id names a campaign."
      actions={
        maySend && (
          <Group gap="sm">
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
              Plan a campaign
            </Button>
            {compose}
          </Group>
        )
      }
      search={
        <>
          {!isNarrowed && <CampaignTrend />}
          <SearchBar fields={FIELDS} />
          <SendFilters kinds={KINDS} />
        </>
      }
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/campaigns/${id}`}
      empty={
        isNarrowed ? (
          <EmptyState icon={IconSearch} title="There is no such campaign">
            The search finds exact matches only. Upper and lower case matter. With a filter, campaigns that were not
            sent yet are left out.
          </EmptyState>
        ) : (
          <EmptyState icon={IconSpeakerphone} title="No campaign yet" action={compose}>
            Select devices by rules, see how many match, and send them a message.
          </EmptyState>
        )
      }
    >
      <NewCampaign isOpen={isMaking} onClose={() => setMaking(false)} />
    </ListPage>
  );
}

/** Makes a campaign ahead of its first send, so that promo codes can be uploaded for it. */
export function NewCampaign({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Plan a campaign">
      <CampaignForm onClose={onClose} />
    </Dialog>
  );
}

function CampaignForm({ onClose }: { onClose: () => void }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const form = useForm({
    initial: { trackId: '', name: '' },
    save: ({ trackId, name }) =>
      api.POST('/api/push/campaigns', { body: { trackId, ...(name === '' ? {} : { name }) } }),
    changes: [keyOf(appId, '/api/push/campaigns')],
    onDone: onClose,
  });
  return (
    <DialogForm form={form} submitLabel="Plan" onCancel={onClose}>
      <Text size="sm" c="dimmed">
        You can upload promo codes for a planned campaign before you send it. To send it, use its track id.
      </Text>
      <TextInput
        label="Track id"
        maxLength={NewCampaignRequest.trackId.maxLength}
        {...form.text('trackId')}
        required
        data-autofocus
      />
      <TextInput
        label="Name"
        maxLength={NewCampaignRequest.name.maxLength}
        description="A name for people. Optional"
        {...form.text('name')}
      />
    </DialogForm>
  );
}
