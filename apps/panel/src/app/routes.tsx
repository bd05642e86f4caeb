import { type ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { ApplicationContext } from '../api/application';
import { useSession } from '../api/session';
import { ApplicationPages } from './application-pages';
import { lazyPage } from './lazy-page';
import { lastApplication } from './last-application';
import { Shell } from './shell';

const ApplicationsPage = lazyPage(() => import('../pages/settings/applications-page'), 'ApplicationsPage');

/** Which page stands at which address: `/applications` for the operator, `/apps/<id>/…` for everything of an application. */
export function SignedInRoutes(): ReactNode {
  const session = useSession();
  const home = session.appId ?? lastApplication();
  return (
    <Switch>
      <Route path="/apps/:appId" nest>
        {({ appId }) =>
          session.appId !== null && session.appId !== appId ? (
            <Redirect to={`~/panel/apps/${session.appId}`} replace />
          ) : (
            <ApplicationContext value={appId}>
              <ApplicationPages key={appId} />
            </ApplicationContext>
          )
        }
      </Route>
      {session.kind === 'operator' && (
        <Route path="/applications">
          <Shell appId={null}>
            <ApplicationsPage />
          </Shell>
        </Route>
      )}
      <Route>
        <Redirect to={home === null ? '/applications' : `/apps/${home}`} replace />
      </Route>
    </Switch>
  );
}
