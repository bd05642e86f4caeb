import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NewTracker } from './new-tracker';
import { TrackerList } from './tracker-list';
import { TrackerPage } from './tracker-page';

/** Trackers: links that count who follows them, and lead into the app or to its store. */
export function TrackersPage(): ReactNode {
  return (
    <Switch>
      <Route path="/trackers/new">
        <NewTracker />
      </Route>
      <Route path="/trackers/:id">{({ id }) => <TrackerPage key={id} id={id} />}</Route>
      <Route>
        <TrackerList />
      </Route>
    </Switch>
  );
}
