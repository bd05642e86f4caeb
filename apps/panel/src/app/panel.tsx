import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Router } from 'wouter';
import { makeQueryClient } from '../api/query-client';
import { styleNonce } from '../theme/style-nonce';
import { RESOLVE_VARIABLES, THEME } from '../theme/theme';
import { CatchErrors } from './catch-errors';
import { SignedIn } from './signed-in';

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
