import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { TrackerResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { momentColumn, nameColumn } from '../../components/columns';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconLink, IconPlus } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { Typed } from '../../components/typed';

const COLUMNS: readonly Column<TrackerResponse>[] = [
  nameColumn('Name', ({ name }) => name),
  {
    key: 'leads',
    header: 'Leads to',
    width: 'minmax(0, 1.4fr)',
    render: ({ deepLink, destination, redirect }) => (
      <Text size="sm" c="dimmed" component="span">
        <Typed text={deepLink ?? destination ?? redirect ?? 'what each link says'} lines={1} />
      </Text>
    ),
  },
  {
    key: 'url',
    header: 'Link',
    width: 'minmax(0, 1.4fr)',
    isHiddenOnPhone: true,
    render: ({ url }) => <Typed text={url} isMono lines={1} />,
  },
  momentColumn('Made', ({ createdAt }) => createdAt),
];

/** All trackers, newest first. */
export function TrackerList(): ReactNode {
  const list = useCursorList('/api/trackers', 'trackers');
  const mayMake = useCan('send');
  const make = mayMake && (
    <Button component={Link} href="/trackers/new" leftSection={<IconPlus size={16} aria-hidden />}>
      New tracker
    </Button>
  );
  return (
    <ListPage
      title="Trackers"
      description="Links for posters, mails and messages that open the right screen of the app, or its store, and count who follows them."
      create={make}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/trackers/${id}`}
      empty={
        <EmptyState icon={IconLink} title="There is no tracker yet" action={make}>
          Make one for each place that you want to tell apart — a newsletter, a poster, a partner — and hand out its
          link.
        </EmptyState>
      }
    />
  );
}
