import { Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { UserDeliveryResponse, UserResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { momentColumn, type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconInbox } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import { whyOf } from '../message/words';
import { modelOf, versionsOf } from './device-name';
import { headlineOf } from '../message/message-cell';

type Devices = UserResponse['devices'];

const columnsFor = (devices: Devices): readonly Column<UserDeliveryResponse>[] => [
  {
    key: 'message',
    header: 'Message',
    width: 'minmax(0, 1fr)',
    render: ({ content, ...delivery }) => (
      <span>
        <Text size="sm" fw={600} component="span">
          <Typed text={headlineOf(content)} lines={1} />
        </Text>
        {/* Each device of the user has a row of its own. */}
        <Text size="xs" c="dimmed" component="div">
          <Typed text={deviceOf(delivery, devices)} lines={1} />
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

/** The name of a delivery's device, as the card of devices has it; its id, if it is not among them. */
function deviceOf({ installationId }: Pick<UserDeliveryResponse, 'installationId'>, devices: Devices): string {
  const device = devices.find(({ id }) => id === installationId);
  return device === undefined ? installationId : `${modelOf(device)} ${versionsOf(device)}`.trim();
}

/** Everything that was sent to a user's devices, newest first, and the results. */
export function TimelineCard({ userId, devices }: { userId: string; devices: Devices }): ReactNode {
  const columns = useMemo(() => columnsFor(devices), [devices]);
  const list = useCursorList('/api/users/{userId}/deliveries', 'deliveries', { params: { path: { userId } } });
  return (
    <SectionCard title="Sent to this user" isFlush>
      <DataTable
        label="Sent to this user"
        columns={columns}
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
