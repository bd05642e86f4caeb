import { Center, Container, Loader } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { SessionContext, useSessionQuery } from '../api/session';
import { ErrorNotice } from '../components/error-notice';
import { SignInPage } from './sign-in-page';

const SignedInRoutes = lazy(() => import('./routes').then(({ SignedInRoutes: Routes }) => ({ default: Routes })));

/** The panel for whoever is signed in, else the sign-in. */
export function SignedIn(): ReactNode {
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
