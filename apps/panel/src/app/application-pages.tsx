import { Button } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { ApiError } from '../api/api-error';
import { useAppId } from '../api/application';
import { useAdminRead } from '../api/reading';
import { useSession } from '../api/session';
import { EmptyState } from '../components/empty-state';
import { IconApps, IconKey } from '../components/icons';
import { PageHeader } from '../components/page-header';
import { rememberApplication } from './last-application';
import { isOpenTo, PAGES } from './pages';
import { Shell } from './shell';

/** All pages of one application that this session may see. */
export function ApplicationPages(): ReactNode {
  const appId = useAppId();
  const session = useSession();
  const known = useAdminRead('/api/admin/apps/{id}', {
    params: { path: { id: appId } },
    enabled: session.kind === 'operator',
  });
  const isUnknown = known.error instanceof ApiError && known.error.status === 404;
  useEffect(() => rememberApplication(isUnknown ? null : appId), [appId, isUnknown]);
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
        <Route>
          {pages[0] ? (
            <Redirect to={pages[0].path} replace />
          ) : (
            <EmptyState icon={IconKey} title="This token opens no page">
              Its scopes ({session.scopes.join(', ')}) are for programs. Sign in with a token that may read or send.
            </EmptyState>
          )}
        </Route>
      </Switch>
    </Shell>
  );
}
