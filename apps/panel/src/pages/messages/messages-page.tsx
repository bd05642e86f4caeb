import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '@mantine/core';
import type { MessageSummaryResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { countColumn, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconMessage, IconSearch, IconSend } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { SearchBar, useSearched } from '../../components/search-bar';
import { MessageCell } from '../message/message-cell';
import { SendPages } from '../message/send-pages';
import { SEND_MOMENT, SendState } from '../message/send-state';
import { type KindLabels, SendFilters, useSendFilters } from '../message/send-filters';
import { KIND_NAME } from '../message/words';

/** Sends to users: the list, one of them, one device of it, all that people chose of it. */
export function MessagesPage(): ReactNode {
  return <SendPages kind="messages" list={<MessageList />} />;
}

const FIELDS = [
  { name: 'userId', label: 'User' },
  { name: 'trackId', label: 'Track id' },
  { name: 'clientId', label: 'Client id' },
  { name: 'batchId', label: 'Batch' },
];

const KINDS: KindLabels = { users: KIND_NAME.users, notify: KIND_NAME.notify };

const COLUMNS: readonly Column<MessageSummaryResponse>[] = [
  {
    key: 'message',
    header: 'Message',
    width: 'minmax(0, 2.4fr)',
    render: ({ content, trackId }) => <MessageCell content={content} trackId={trackId} />,
  },
  { key: 'kind', header: 'Kind', width: '8rem', isHiddenOnPhone: true, render: ({ kind }) => KIND_NAME[kind] },
  { key: 'status', header: 'State', width: '8.5rem', render: (message) => <SendState send={message} /> },
  countColumn('Devices', ({ count }) => count),
  SEND_MOMENT,
];

/** Sends to users, newest first. */
export function MessageList(): ReactNode {
  const searched = useSearched(FIELDS);
  const filters = useSendFilters();
  const isNarrowed = searched !== null || Object.keys(filters).length > 0;
  const list = useCursorList('/api/push/messages', 'messages', {
    params: { query: { ...searched?.query, ...filters } },
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
      description="Messages to named users, and their results."
      actions={compose}
      search={
        <>
          <SearchBar fields={FIELDS} />
          <SendFilters kinds={KINDS} />
        </>
      }
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/messages/${id}`}
      empty={
        isNarrowed ? (
          <EmptyState icon={IconSearch} title="No message matches">
            The search finds exact matches only. Messages are kept for 30 days unless the server is set otherwise.
          </EmptyState>
        ) : (
          <EmptyState icon={IconMessage} title="No message yet" action={compose}>
            Messages to named users appear here when the API or this panel has sent them.
          </EmptyState>
        )
      }
    />
  );
}
