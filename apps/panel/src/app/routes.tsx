import { type ReactNode, useEffect } from 'react';
import { Redirect, Route, Switch, Link } from 'wouter';
import { ApplicationContext, useAppId } from '../api/client';
import { useSession } from '../api/session';
import { lazyPage, isOpenTo, PAGES } from './pages';
import { Shell } from './shell';
import { Button } from '@mantine/core';
import { ApiError } from '../api/api-error';
import { useAdminRead } from '../api/reading';
import { keepText, readKeptText } from '../components/browser-store';
import { EmptyState } from '../components/empty-state';
import { IconApps, IconKey, IconSearch } from '../components/icons';
import { PageHeader } from '../components/page-header';

const ApplicationsPage = lazyPage(() => import('../pages/settings/applications-page'), 'ApplicationsPage');

/** The addresses of the pages: `/applications` for the operator, `/apps/<id>/…` for the pages of an application. */
export function SignedInRoutes(): ReactNode {
  const session = useSession();
  const home = session.appId ?? readKeptText(LAST_APPLICATION);
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
      <Route path={/^\/(applications\/?)?$/}>
        <Redirect to={home === null ? '/applications' : `/apps/${home}`} replace />
      </Route>
      <Route>
        <Shell appId={session.appId}>
          {session.appId === null ? (
            <NoSuchPage to="~/panel/applications">See all applications</NoSuchPage>
          ) : (
            <NoSuchPage to={`~/panel/apps/${session.appId}`}>See the application</NoSuchPage>
          )}
        </Shell>
      </Route>
    </Switch>
  );
}

/** The address is none of a page: it may be written wrong. */
function NoSuchPage({ to, children }: { to: string; children: string }): ReactNode {
  return (
    <EmptyState
      icon={IconSearch}
      title="There is no such page"
      isPage
      action={
        <Button component={Link} href={to}>
          {children}
        </Button>
      }
    >
      The address may have a typing error.
    </EmptyState>
  );
}

/** What leads to the first page that this session may see: the application itself, and each page that it may not. */
const HOME = new RegExp(`^/?$|^(${PAGES.map(({ path }) => path).join('|')})(/|$)`);

/** All pages of one application that this session may see. */
function ApplicationPages(): ReactNode {
  const appId = useAppId();
  const session = useSession();
  const known = useAdminRead('/api/admin/apps/{id}', {
    params: { path: { id: appId } },
    enabled: session.kind === 'operator',
  });
  const isUnknown = known.error instanceof ApiError && known.error.status === 404;
  useEffect(() => keepText(LAST_APPLICATION, isUnknown ? null : appId), [appId, isUnknown]);
  const pages = PAGES.filter((page) => isOpenTo(page, session));
  if (isUnknown) {
    return (
      <Shell appId={null}>
        <PageHeader title="Applications" />
        <EmptyState
          icon={IconApps}
          title="There is no such application"
          action={
            <Button component={Link} href="~/panel/applications">
              See all applications
            </Button>
          }
        >
          It may have been deleted, or the address has a typing error.
        </EmptyState>
      </Shell>
    );
  }
  return (
    <Shell appId={appId}>
      <Switch>
        {pages.map(({ path, page: Page }) => (
          <Route key={path} path={`${path}/*?`}>
            <Page />
          </Route>
        ))}
        {pages[0] === undefined ? (
          <Route>
            <EmptyState icon={IconKey} title="This token cannot open any page" isPage>
              No page works with its scopes ({session.scopes.join(', ')}). Sign in with a token that may read or send.
            </EmptyState>
          </Route>
        ) : (
          <Route path={HOME}>
            <Redirect to={pages[0].path} replace />
          </Route>
        )}
        <Route>
          <NoSuchPage to={`~/panel/apps/${appId}`}>See the application</NoSuchPage>
        </Route>
      </Switch>
    </Shell>
  );
}

/** The key of the application that was looked at last in this browser. */
const LAST_APPLICATION = 'postrider-application';
