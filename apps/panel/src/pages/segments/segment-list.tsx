import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { SegmentResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { momentColumn, nameColumn } from '../../components/columns';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconFilter, IconPlus } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { Typed } from '../../components/typed';
import { readRules } from '../../model/read-segment';
import { saySegment } from '../../model/say-segment';

const COLUMNS: readonly Column<SegmentResponse>[] = [
  nameColumn('Name', ({ name }) => name),
  {
    key: 'rules',
    header: 'Devices',
    width: 'minmax(0, 2fr)',
    render: (segment) => (
      <Text size="sm" c="dimmed" component="span">
        <Typed text={saySegment(readRules(segment))} lines={2} />
      </Text>
    ),
  },
  momentColumn('Changed', ({ updatedAt }) => updatedAt, { width: '9rem' }),
];

/** All saved segments, newest first. */
export function SegmentList(): ReactNode {
  const list = useCursorList('/api/segments', 'segments');
  const maySave = useCan('send');
  const create = maySave && (
    <Button component={Link} href="/segments/new" leftSection={<IconPlus size={16} aria-hidden />}>
      New segment
    </Button>
  );
  return (
    <ListPage
      title="Segments"
      description="Groups of devices by what is known about them, kept under a name and sent to again."
      create={create}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/segments/${id}`}
      empty={
        <EmptyState icon={IconFilter} title="No segment is saved yet" action={create}>
          Describe a group of devices once — by tags, visits, versions, places or your own attributes — and send to it
          whenever you like.
        </EmptyState>
      }
    />
  );
}
