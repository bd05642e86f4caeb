import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { DevicePage } from '../message/device-page';
import { MessagePage } from '../message/message-page';
import { CampaignList } from './campaign-list';

/** Sends to segments: the list, one of them, one device of it. */
export function CampaignsPage(): ReactNode {
  return (
    <Switch>
      <Route path="/campaigns/:id/devices/:installationId">
        {({ id, installationId }) => <DevicePage kind="campaigns" messageId={id} installationId={installationId} />}
      </Route>
      <Route path="/campaigns/:id">{({ id }) => <MessagePage key={id} kind="campaigns" id={id} />}</Route>
      <Route>
        <CampaignList />
      </Route>
    </Switch>
  );
}
