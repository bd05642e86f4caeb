import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { MessageSummaryResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { countColumn, momentColumn } from '../../components/columns';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconMessage, IconSearch, IconSend } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { SearchBar, useSearched } from '../../components/search-bar';
import { StateBadge } from '../../components/state-badge';
import { MessageCell } from '../message/message-cell';
import { KIND_NAME } from '../message/words';

const FIELDS = [
  { name: 'userId', label: 'User' },
  { name: 'trackId', label: 'Track id' },
  { name: 'clientId', label: 'Client id' },
  { name: 'batchId', label: 'Batch' },
];

const COLUMNS: readonly Column<MessageSummaryResponse>[] = [
  {
    key: 'message',
    header: 'Message',
    width: 'minmax(0, 2.4fr)',
    render: ({ content, trackId }) => <MessageCell content={content} trackId={trackId} />,
  },
  { key: 'kind', header: 'Kind', width: '8rem', isHiddenOnPhone: true, render: ({ kind }) => KIND_NAME[kind] },
  { key: 'status', header: 'State', width: '8.5rem', render: ({ status }) => <StateBadge state={status} /> },
  countColumn('Devices', ({ count }) => count),
  momentColumn('Accepted', ({ acceptedAt }) => acceptedAt, { width: '9rem' }),
];

/** Sends to users, newest first. */
export function MessageList(): ReactNode {
  const searched = useSearched(FIELDS);
  const list = useCursorList('/api/push/messages', 'messages', {
    params: { query: searched?.query ?? {} },
    pollMs: 5_000,
  });
  const maySend = useCan('send');
  const compose = maySend && (
    <Button component={Link} href="/compose" leftSection={<IconSend size={16} aria-hidden />}>
      Compose
    </Button>
  );
  return (
    <ListPage
      title="Messages"
      description="What was sent to named users, and what became of it."
      actions={compose}
      search={<SearchBar fields={FIELDS} />}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/messages/${id}`}
      empty={
        searched ? (
          <EmptyState icon={IconSearch} title="Nothing was sent like that">
            The search looks for exactly what you type. Messages are kept for as many days as the server is set to (30
            by default).
          </EmptyState>
        ) : (
          <EmptyState icon={IconMessage} title="No message yet" action={compose}>
            Messages to named users appear here as soon as they are accepted, from the API or from this panel.
          </EmptyState>
        )
      }
    />
  );
}
