import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { ChoicesPage } from '../message/choices-page';
import { DevicePage } from '../message/device-page';
import { MessagePage } from '../message/message-page';
import { CampaignList } from './campaign-list';

/** Sends to segments: the list, one of them, one device of it, all that people chose of it. */
export function CampaignsPage(): ReactNode {
  return (
    <Switch>
      <Route path="/campaigns/:id/devices/:installationId">
        {({ id, installationId }) => <DevicePage kind="campaigns" messageId={id} installationId={installationId} />}
      </Route>
      <Route path="/campaigns/:id/stats/:list">
        {({ id, list }) => <ChoicesPage key={`${id} ${list}`} kind="campaigns" messageId={id} list={list} />}
      </Route>
      <Route path="/campaigns/:id">{({ id }) => <MessagePage key={id} kind="campaigns" id={id} />}</Route>
      <Route>
        <CampaignList />
      </Route>
    </Switch>
  );
}
