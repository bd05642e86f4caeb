import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PromoSetResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount } from '../../components/format';
import { IconTicket, IconUpload } from '../../components/icons';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import { CodesBar } from './codes-bar';
import { UploadDialog } from './upload-dialog';

const COLUMNS: readonly Column<PromoSetResponse>[] = [
  {
    key: 'name',
    header: 'For',
    width: 'minmax(0, 1.4fr)',
    render: ({ trackId }) => (
      <Text fw={600} size="sm" component="span">
        {trackId === null ? 'Every campaign (global)' : <Typed text={trackId} lines={2} />}
      </Text>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    render: ({ inForce, isLow, remaining }) => {
      if (!inForce) return <StateBadge state="skipped" label="replaced" />;
      if (remaining === 0) return <StateBadge state="failed" label="used up" />;
      return <StateBadge state={isLow ? 'held' : 'ok'} label={isLow ? 'low' : 'in force'} />;
    },
  },
  {
    key: 'left',
    header: 'Left',
    width: 'minmax(0, 1.2fr)',
    render: (set) => <CodesBar set={set} />,
  },
  {
    key: 'assigned',
    header: 'Given',
    width: '6rem',
    align: 'end',
    isHiddenOnPhone: true,
    render: ({ assigned }) => formatCount(assigned),
  },
  {
    key: 'createdAt',
    header: 'Uploaded',
    width: '8rem',
    align: 'end',
    render: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

/** Every set that is or was in force, newest first. */
export function PromoSets(): ReactNode {
  const list = useCursorList('/api/promo/sets', 'sets', { pollMs: 10_000 });
  const [isUploading, setUploading] = useState(false);
  const mayUpload = useCan('promo');
  const upload = mayUpload && (
    <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setUploading(true)}>
      Upload codes
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Promo codes"
        description="Files of codes for one campaign or for all of them. Every recipient of a message that names a code gets an own one."
        actions={list.items.length > 0 ? upload : undefined}
      />
      <SectionCard isFlush>
        <DataTable
          label="Promo sets"
          columns={COLUMNS}
          list={list}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/promo/${id}`}
          empty={
            <EmptyState icon={IconTicket} title="No codes were uploaded yet" action={upload}>
              Upload a file with one code on each line, then write <code>{'{{ promoCode }}'}</code> into a message.
            </EmptyState>
          }
        />
      </SectionCard>
      <UploadDialog isOpen={isUploading} onClose={() => setUploading(false)} onDone={list.refresh} />
    </>
  );
}
