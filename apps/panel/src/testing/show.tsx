import { MantineProvider } from '@mantine/core';
import { notifications, Notifications } from '@mantine/notifications';
import type { Scope } from '@postrider/domain';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { ApplicationContext } from '../api/client';
import { makeQueryClient } from '../api/query-client';
import { SessionContext } from '../api/session';
import { THEME } from '../theme/theme';
import { FakeGateway } from './fake-gateway';

/** A part of the panel on the screen, a person in front of it, and the gateway behind it. */
export interface Shown {
  user: UserEvent;
  gateway: FakeGateway;
  /** Reads everything again that is on the screen, as happens when the person comes back to the window. */
  readAgain: () => Promise<void>;
}

/** Shows a part of the panel, inside the application `shop`. */
export function show(part: ReactNode, options: { gateway?: FakeGateway; scopes?: Scope[]; at?: string } = {}): Shown {
  const { gateway = new FakeGateway(), scopes = ['server'], at = '/' } = options;
  gateway.install();
  // A part that was shown before is still there, and hears of it.
  act(() => {
    notifications.clean();
  });
  window.history.replaceState(null, '', at);
  const client = makeQueryClient();
  render(
    <MantineProvider theme={THEME} env="test">
      <QueryClientProvider client={client}>
        <SessionContext value={{ kind: 'application', appId: 'shop', tokenId: 'reader', scopes, mayReadDocs: true }}>
          <ApplicationContext value="shop">
            <Router>{part}</Router>
          </ApplicationContext>
        </SessionContext>
      </QueryClientProvider>
      <Notifications />
    </MantineProvider>,
  );
  // No style sheet is read here, so none can keep a pointer off: to look for one at every click is slow.
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  return { user, gateway, readAgain: () => act(() => client.invalidateQueries()) };
}
