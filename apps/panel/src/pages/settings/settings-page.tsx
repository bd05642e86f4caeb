import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { PageHeader } from '../../components/page-header';
import { ApplicationSettings } from './application-settings';
import { TokenSettings } from './token-settings';
import { VendorSettings } from './vendor-settings';
import { WebhookSettings } from './webhook-settings';

const TABS = [
  { path: '/settings/vendors', label: 'Vendors', page: VendorSettings },
  { path: '/settings/tokens', label: 'Tokens', page: TokenSettings },
  { path: '/settings/webhooks', label: 'Webhooks', page: WebhookSettings },
  { path: '/settings/application', label: 'Application', page: ApplicationSettings },
] as const;

/** Everything that an operator sets for one application. */
export function SettingsPage(): ReactNode {
  const [location, navigate] = useLocation();
  const here = TABS.find(({ path }) => location.startsWith(path));
  return (
    <>
      <PageHeader title="Settings" documentTitle={here ? `${here.label} · Settings` : 'Settings'} />
      <Tabs value={here?.path ?? null} onChange={(path) => path !== null && navigate(path)} keepMounted={false}>
        <Tabs.List mb="lg" aria-label="Settings">
          {TABS.map(({ path, label }) => (
            <Tabs.Tab key={path} value={path} px={{ base: 'xs', sm: 'md' }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ path, page: Page }) => (
          <Tabs.Panel key={path} value={path}>
            <Page />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Switch>
        {TABS.map(({ path }) => (
          <Route key={path} path={`${path}/*?`} />
        ))}
        <Route>
          <Redirect to={TABS[0].path} replace />
        </Route>
      </Switch>
    </>
  );
}
