import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { ChoicesPage } from '../message/choices-page';
import { DevicePage } from '../message/device-page';
import { MessagePage } from '../message/message-page';
import { MessageList } from './message-list';

/** Sends to users: the list, one of them, one device of it, all that people chose of it. */
export function MessagesPage(): ReactNode {
  return (
    <Switch>
      <Route path="/messages/:id/devices/:installationId">
        {({ id, installationId }) => <DevicePage kind="messages" messageId={id} installationId={installationId} />}
      </Route>
      <Route path="/messages/:id/stats/:list">
        {({ id, list }) => <ChoicesPage key={`${id} ${list}`} kind="messages" messageId={id} list={list} />}
      </Route>
      <Route path="/messages/:id">{({ id }) => <MessagePage key={id} kind="messages" id={id} />}</Route>
      <Route>
        <MessageList />
      </Route>
    </Switch>
  );
}
