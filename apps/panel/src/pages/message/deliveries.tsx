import { Button, Select, TextInput } from '@mantine/core';
import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import type { DeliveryResponse, MessageResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { momentColumn } from '../../components/columns';
import { type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount } from '../../components/format';
import { IconDeviceMobile, IconSearch } from '../../components/icons';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './message-page.module.css';
import { UserDevices } from './user-devices';
import { vendorName, whyOf } from './words';

const COLUMNS: readonly Column<DeliveryResponse>[] = [
  {
    key: 'user',
    header: 'User and device',
    width: 'minmax(0, 1.3fr)',
    render: ({ userId, installationId }) => (
      <>
        {userId === null ? 'Device is gone' : <Typed text={userId} lines={1} />}
        {installationId !== null && <Typed text={installationId} isMono lines={1} />}
      </>
    ),
  },
  { key: 'state', header: 'State', width: '7.5rem', render: ({ state }) => <StateBadge state={state} /> },
  {
    key: 'why',
    header: 'Why',
    width: 'minmax(0, 1.8fr)',
    render: (delivery) => <Typed text={whyOf(delivery)} lines={2} />,
  },
  {
    key: 'vendor',
    header: 'Vendor',
    width: '8.5rem',
    isHiddenOnPhone: true,
    render: ({ vendor }) => (vendor === null ? '–' : vendorName(vendor)),
  },
  momentColumn('Changed', ({ updatedAt }) => updatedAt, { isHiddenOnPhone: true }),
];

/** Every device of a message, by state; and, looked up by user, why a device got nothing. */
export function Deliveries(props: {
  message: MessageResponse;
  kind: 'messages' | 'campaigns';
  state: DeliveryState | null;
  onState: (state: DeliveryState | null) => void;
}): ReactNode {
  const { message, kind, state, onState } = props;
  const [userId, setUserId] = useState('');
  const [asked, setAsked] = useState('');
  return (
    <>
      <div className={classes.toolbar}>
        <Select
          label="State"
          placeholder="All states"
          data={DELIVERY_STATES.map((name) => ({
            value: name,
            label: `${name} (${formatCount(message.totals[name])})`,
          }))}
          value={state}
          onChange={(value) => onState(DELIVERY_STATES.find((name) => name === value) ?? null)}
          clearable
          disabled={asked !== ''}
          clearButtonProps={{ 'aria-label': 'Show all states' }}
        />
        <form
          className={classes.toolbar}
          style={{ padding: 0 }}
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(userId.trim());
          }}
        >
          <TextInput
            label="What happened to a user"
            placeholder="User id, exactly"
            value={userId}
            onChange={({ currentTarget }) => {
              setUserId(currentTarget.value);
              if (currentTarget.value === '') setAsked('');
            }}
          />
          <Button type="submit" variant="default" leftSection={<IconSearch size={16} aria-hidden />}>
            Look
          </Button>
        </form>
      </div>
      {asked === '' ? (
        <List message={message} kind={kind} state={state} />
      ) : (
        <UserDevices messageId={message.id} kind={kind} userId={asked} />
      )}
    </>
  );
}

function List(props: {
  message: MessageResponse;
  kind: 'messages' | 'campaigns';
  state: DeliveryState | null;
}): ReactNode {
  const { message, kind, state } = props;
  const list = useCursorList('/api/push/messages/{id}/deliveries', 'deliveries', {
    params: { path: { id: message.id }, query: { state: state ?? undefined } },
    pollMs: message.status === 'done' ? 15_000 : 3_000,
  });
  return (
    <DataTable
      label="Devices"
      columns={COLUMNS}
      list={list}
      rowKey={({ installationId, createdAt, userId }) => installationId ?? `${createdAt} ${userId ?? ''}`}
      rowHref={({ installationId }) => `/${kind}/${message.id}/devices/${installationId ?? 'gone'}`}
      empty={
        <EmptyState icon={IconDeviceMobile} title={state === null ? 'No device' : `No device is ${state}`}>
          {state === null
            ? 'The audience of this message came to no device that can be reached.'
            : 'Choose another state.'}
        </EmptyState>
      }
    />
  );
}
