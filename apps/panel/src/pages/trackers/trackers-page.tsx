import { type ReactNode, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { TrackerDialog } from './tracker-dialog';
import { TrackerPage } from './tracker-page';
import { Button, Text } from '@mantine/core';
import type { TrackerResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { momentColumn, nameColumn, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconLink, IconPlus } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { useNameSearch } from '../../components/name-search';
import { Typed } from '../../components/typed';

/** Trackers: links that count who follows them, and lead into the app or to its store. */
export function TrackersPage(): ReactNode {
  return (
    <Switch>
      <Route path="/trackers/:id">{({ id }) => <TrackerPage key={id} id={id} />}</Route>
      <Route>
        <TrackerList />
      </Route>
    </Switch>
  );
}

const COLUMNS: readonly Column<TrackerResponse>[] = [
  nameColumn('Name', ({ name }) => name),
  {
    key: 'leads',
    header: 'Leads to',
    width: 'minmax(0, 1.4fr)',
    render: ({ deepLink, destination, redirect }) => (
      <Text size="sm" c="dimmed" component="span">
        <Typed text={deepLink ?? destination ?? redirect ?? 'named by each link'} lines={1} />
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
  const search = useNameSearch();
  const list = useCursorList('/api/trackers', 'trackers', { params: { query: search } });
  const mayMake = useCan('send');
  const [isMaking, setMaking] = useState(false);
  const [, navigate] = useLocation();
  const make = mayMake && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New tracker
    </Button>
  );
  return (
    <ListPage
      title="Trackers"
      description="Links that open a screen of the app, or its store, and count clicks."
      create={make}
      names={{ ...search, noun: 'tracker' }}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/trackers/${id}`}
      empty={
        <EmptyState icon={IconLink} title="No tracker yet" action={make}>
          Create one tracker for each place where you publish links, such as a newsletter, a poster or a partner.
        </EmptyState>
      }
    >
      <TrackerDialog
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        onSaved={({ id }) => navigate(`/trackers/${id}`)}
      />
    </ListPage>
  );
}
