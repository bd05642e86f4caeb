import { localStorageColorSchemeManager, MantineProvider, Center, Container, Loader } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState, lazy, Suspense } from 'react';
import { Router } from 'wouter';
import { makeQueryClient, SessionContext, useSessionQuery } from '../api/session';
import { styleNonce, RESOLVE_VARIABLES, THEME } from '../theme/theme';
import { CatchErrors } from './catch-errors';
import { ErrorNotice } from '../components/error-notice';
import { SignInPage } from './sign-in-page';

const COLOR_SCHEME = localStorageColorSchemeManager({ key: 'postrider-color-scheme' });

/** The whole panel: design, reading, addresses, and who is signed in. */
export function Panel(): ReactNode {
  const [client] = useState(makeQueryClient);
  return (
    <MantineProvider
      theme={THEME}
      cssVariablesResolver={RESOLVE_VARIABLES}
      colorSchemeManager={COLOR_SCHEME}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Notifications position="bottom-right" />
      <CatchErrors>
        <QueryClientProvider client={client}>
          <Router base="/panel">
            <SignedIn />
          </Router>
        </QueryClientProvider>
      </CatchErrors>
    </MantineProvider>
  );
}

const SignedInRoutes = lazy(() => import('./routes').then(({ SignedInRoutes: Routes }) => ({ default: Routes })));

/** The panel if a session exists, else the sign-in page. */
function SignedIn(): ReactNode {
  const session = useSessionQuery();
  if (session.isPending) return <Waiting />;
  if (session.isError) {
    return (
      <Container size="xs" py="xl">
        <ErrorNotice
          error={session.error}
          title="The panel cannot reach its gateway"
          onRetry={() => void session.refetch()}
        />
      </Container>
    );
  }
  if (session.data === null) return <SignInPage />;
  return (
    <SessionContext value={session.data}>
      <Suspense fallback={<Waiting />}>
        <SignedInRoutes />
      </Suspense>
    </SessionContext>
  );
}

function Waiting(): ReactNode {
  return (
    <Center mih="60vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
