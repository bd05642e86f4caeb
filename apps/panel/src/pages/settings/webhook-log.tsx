import { Anchor, Button, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi, useAppId, keyOf } from '../../api/client';
import type { WebhookDeliveryResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useSave } from '../../api/use-save';
import { momentColumn, type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { IconWebhook } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './settings.module.css';

const STATES = [
  'waiting',
  'sending',
  'delivered',
  'failed',
] as const satisfies readonly WebhookDeliveryResponse['state'][];

/** Every call of a webhook, newest first: what was answered, and another try. */
export function WebhookLog({ id }: { id: string }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const [state, setState] = useState<WebhookDeliveryResponse['state'] | null>(null);
  const list = useCursorList('/api/webhooks/{id}/deliveries', 'deliveries', {
    params: { path: { id }, query: { state: state ?? undefined } },
    pollMs: 3_000,
  });
  const again = useSave<string>({
    save: (eventId) =>
      api.POST('/api/webhooks/{id}/deliveries/{eventId}/redeliver', { params: { path: { id, eventId } } }),
    said: 'The event is sent again',
    changes: [keyOf(appId, '/api/webhooks/{id}/deliveries', { path: { id } })],
  });
  const columns = columnsOf(again.mutate, again.isPending ? again.variables : null);
  return (
    <div className={classes.stack}>
      <Anchor component={Link} href="/settings/webhooks" size="sm" py={4}>
        All webhooks
      </Anchor>
      <ErrorNotice error={again.error} title="The event was not sent again" />
      <SectionCard
        title="Log"
        isFlush
        actions={
          <Select
            aria-label="State"
            placeholder="All states"
            data={STATES}
            value={state}
            onChange={setState}
            clearable
            w={160}
          />
        }
      >
        <DataTable
          label="Calls"
          columns={columns}
          list={list}
          rowKey={({ eventId }) => eventId}
          empty={
            state === null ? (
              <EmptyState icon={IconWebhook} title="No calls yet">
                Calls appear here when an event of the webhook happens. Use “Test” to make one now.
              </EmptyState>
            ) : (
              <EmptyState icon={IconWebhook} title="No call is in this state" />
            )
          }
        />
      </SectionCard>
    </div>
  );
}

/** @param underWay the event that is being sent again */
function columnsOf(sendAgain: (eventId: string) => void, underWay: string | null): Column<WebhookDeliveryResponse>[] {
  return [
    {
      key: 'event',
      header: 'Event',
      width: 'minmax(0, 1.4fr)',
      render: ({ type, eventId }) => (
        <>
          {type}
          <div className={classes.hint}>
            <Typed text={eventId} isMono lines={1} />
          </div>
        </>
      ),
    },
    { key: 'state', header: 'State', width: '7.5rem', render: (event) => <StateBadge state={event.state} /> },
    {
      key: 'answer',
      header: 'Answer',
      width: 'minmax(0, 1.5fr)',
      render: (event) => <Typed text={answerOf(event)} lines={2} />,
    },
    momentColumn('When', ({ createdAt }) => createdAt),
    {
      key: 'again',
      header: 'Again',
      width: '6.5rem',
      align: 'end',
      render: ({ eventId, type, state: now }) =>
        now === 'failed' || now === 'delivered' ? (
          <Button
            size="compact-xs"
            variant="default"
            loading={underWay === eventId}
            onClick={() => sendAgain(eventId)}
            aria-label={`Send again ${type} ${eventId}`}
          >
            Send again
          </Button>
        ) : null,
    },
  ];
}

function answerOf({ statusCode, error, durationMs, attempt }: WebhookDeliveryResponse): string {
  const tries = attempt > 1 ? ` (attempt ${attempt})` : '';
  if (error !== null) return `${error}${tries}`;
  if (statusCode === null) return '';
  return `${statusCode}${durationMs === null ? '' : ` in ${durationMs} ms`}${tries}`;
}
