import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UserDeliveryResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { momentColumn, type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconInbox } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import { whyOf } from '../message/words';
import { headlineOf } from '../message/message-cell';

const COLUMNS: readonly Column<UserDeliveryResponse>[] = [
  {
    key: 'message',
    header: 'Message',
    width: 'minmax(0, 1fr)',
    render: ({ content, ...delivery }) => (
      <span>
        <Text size="sm" fw={600} component="span">
          <Typed text={headlineOf(content)} lines={1} />
        </Text>
        {whyOf(delivery) !== '' && (
          <Text size="xs" c="dimmed" component="div">
            <Typed text={whyOf(delivery)} lines={2} />
          </Text>
        )}
      </span>
    ),
  },
  { key: 'state', header: 'State', width: '7.5rem', render: ({ state }) => <StateBadge state={state} /> },
  momentColumn('Sent', ({ createdAt }) => createdAt, { width: '7.5rem' }),
];

/** Everything that was sent to a user's devices, newest first, and the results. */
export function TimelineCard({ userId }: { userId: string }): ReactNode {
  const list = useCursorList('/api/users/{userId}/deliveries', 'deliveries', { params: { path: { userId } } });
  return (
    <SectionCard title="Sent to this user" isFlush>
      <DataTable
        label="Sent to this user"
        columns={COLUMNS}
        list={list}
        rowKey={({ messageId, installationId }) => `${messageId} ${installationId}`}
        rowHref={({ isCampaign, messageId, installationId }) =>
          `/${isCampaign ? 'campaigns' : 'messages'}/${messageId}/devices/${installationId}`
        }
        empty={
          <EmptyState icon={IconInbox} title="Nothing yet">
            Messages to these devices appear here, with their results.
          </EmptyState>
        }
      />
    </SectionCard>
  );
}
