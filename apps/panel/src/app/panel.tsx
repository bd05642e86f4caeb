import { localStorageColorSchemeManager, MantineProvider, Center, Container, Loader } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Activity, type ReactNode, useEffect, useRef, useState, lazy, Suspense } from 'react';
import { Router } from 'wouter';
import { makeQueryClient } from '../api/query-client';
import { holderOf, SessionContext, type SessionState, useKeptReadings, useSessionQuery } from '../api/session';
import { styleNonce, RESOLVE_VARIABLES, THEME } from '../theme/theme';
import { CatchErrors } from './catch-errors';
import { ErrorNotice } from '../components/error-notice';
import { keepFocus } from '../components/keep-focus';
import { forgetWritten } from '../components/tab-store';
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

/**
 * The panel if a session exists, else the sign-in page. When a session ends by itself, the panel waits behind the sign-in page: it is
 * neither seen nor read out, asks for nothing, and is there again, with every open dialog, for the holder of the same token only.
 */
function SignedIn(): ReactNode {
  const found = useSessionQuery();
  const isOver = found.data?.isOver ?? false;
  useKeptReadings(isOver);
  useForgetting(found.data);
  useFocusAgain(isOver);
  if (found.isPending) return <Waiting />;
  // A session that was there is there until the gateway says otherwise.
  if (found.data === undefined) {
    return (
      <Container size="xs" py="xl">
        <ErrorNotice error={found.error} title="The panel cannot reach its gateway" onRetry={() => found.refetch()} />
      </Container>
    );
  }
  if (found.data === null) return <SignInPage />;
  const { session } = found.data;
  return (
    <>
      {isOver && <SignInPage isAgain />}
      <Activity key={holderOf(session)} mode={isOver ? 'hidden' : 'visible'}>
        <SessionContext value={session}>
          <Suspense fallback={<Waiting />}>
            <SignedInRoutes />
          </Suspense>
        </SessionContext>
      </Activity>
    </>
  );
}

/** Forgets what was written when a person signs out: a session that ends by itself leaves who was signed in. */
function useForgetting(state: SessionState | null | undefined): void {
  const wasSignedIn = useRef(false);
  useEffect(() => {
    // By now the pages are gone, which keep what is written when they are left.
    if (state === null && wasSignedIn.current) forgetWritten();
    wasSignedIn.current = Boolean(state);
  }, [state]);
}

/** Gives the focus back to what had it when the session ended, so that a person who works with the keyboard continues there. */
function useFocusAgain(isOver: boolean): void {
  const last = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (isOver) return undefined;
    if (last.current !== null) {
      last.current.focus();
      keepFocus();
    }
    const note = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.closest('[data-page="sign-in"]') === null) last.current = target;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [isOver]);
}

function Waiting(): ReactNode {
  return (
    <Center mih="60vh">
      <Loader role="progressbar" aria-label="Loading" />
    </Center>
  );
}
