import type { ReactNode } from 'react';
import { Route, Switch, Link } from 'wouter';
import { NewSegment, SavedSegment } from './segment-pages';
import { Button, Text } from '@mantine/core';
import type { SegmentResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { countColumn, momentColumn, nameColumn, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount, formatMoment } from '../../components/format';
import { IconFilter, IconPlus } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { useNameSearch } from '../../components/name-search';
import { Sparkline } from '../../components/sparkline';
import { Typed } from '../../components/typed';
import { readRules } from '../../model/read-segment';
import { saySegment } from '../../model/say-segment';

/** Saved segments: the list, a new one, and one of them. */
export function SegmentsPage(): ReactNode {
  return (
    <Switch>
      <Route path="/segments/new">
        <NewSegment />
      </Route>
      <Route path="/segments/:id">{({ id }) => <SavedSegment key={id} id={id} />}</Route>
      <Route>
        <SegmentList />
      </Route>
    </Switch>
  );
}

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
  countColumn('Can be reached', ({ size }) => size?.reachable ?? null, { width: '8rem' }),
  {
    key: 'trend',
    header: '30 days',
    width: '8rem',
    isHiddenOnPhone: true,
    render: ({ trend = [] }) => <Trend sizes={trend} />,
  },
  momentColumn('Changed', ({ updatedAt }) => updatedAt, { width: '9rem' }),
];

/** The number of reachable devices on each of the last days; one day alone is not shown. */
function Trend({ sizes }: { sizes: NonNullable<SegmentResponse['trend']> }): ReactNode {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined || first === last) return '–';
  const words = `From ${formatCount(first.reachable)} on ${formatMoment(first.at)} to ${formatCount(last.reachable)} on ${formatMoment(last.at)}`;
  return <Sparkline values={sizes.map(({ reachable }) => reachable)} words={words} />;
}

/** All saved segments, newest first. */
function SegmentList(): ReactNode {
  const search = useNameSearch();
  const list = useCursorList('/api/segments', 'segments', { params: { query: { trend: true, ...search } } });
  const maySave = useCan('send');
  const create = maySave && (
    <Button component={Link} href="/segments/new" leftSection={<IconPlus size={16} aria-hidden />}>
      New segment
    </Button>
  );
  return (
    <ListPage
      title="Segments"
      description="Saved rules that select devices. You can send to them again."
      create={create}
      names={{ ...search, noun: 'segment' }}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/segments/${id}`}
      empty={
        <EmptyState icon={IconFilter} title="No segment is saved yet" action={create}>
          Select devices by tags, visits, versions, places or your own attributes, and save the rules to send to them
          again.
        </EmptyState>
      }
    />
  );
}
