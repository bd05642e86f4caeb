import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NewSegment, SavedSegment } from './segment-pages';
import { SegmentList } from './segment-list';

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
