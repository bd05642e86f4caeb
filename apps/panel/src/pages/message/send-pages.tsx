import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { ChoicesPage } from './choices-page';
import { DevicePage } from './device-page';
import { MessagePage } from './message-page';

/** The pages below a list of sends: the list itself, one send, one device of it, all that people chose of it. */
export function SendPages({ kind, list }: { kind: 'campaigns' | 'messages'; list: ReactNode }): ReactNode {
  return (
    <Switch>
      <Route path={`/${kind}/:id/devices/:installationId`}>
        {({ id, installationId }) => <DevicePage kind={kind} messageId={id} installationId={installationId} />}
      </Route>
      <Route path={`/${kind}/:id/stats/:list`}>
        {({ id, list: choices }) => <ChoicesPage key={`${id} ${choices}`} kind={kind} messageId={id} list={choices} />}
      </Route>
      <Route path={`/${kind}/:id`}>{({ id }) => <MessagePage key={id} kind={kind} id={id} />}</Route>
      <Route>{list}</Route>
    </Switch>
  );
}
