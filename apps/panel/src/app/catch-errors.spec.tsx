import { cleanup, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { show } from '../testing/show';
import { CatchErrors } from './catch-errors';
import { lazyPage } from './pages';

/** A page whose code arrives as soon as there is a connection. */
function pageBehind(connection: { isUp: boolean }): ReturnType<typeof lazyPage> {
  const Page = (): string => 'The page';
  return lazyPage(
    () => (connection.isUp ? Promise.resolve({ Page }) : Promise.reject(new TypeError('Failed to fetch'))),
    'Page',
  );
}

describe('a page whose code cannot be fetched', () => {
  // React writes caught errors to the console.
  beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => jest.restoreAllMocks());

  it('says so, and is fetched again at the press of a button', async () => {
    const connection = { isUp: false };
    const Page = pageBehind(connection);
    const part = (
      <CatchErrors>
        <Suspense>
          <Page />
        </Suspense>
      </CatchErrors>
    );
    const { user } = show(part);
    expect((await screen.findByRole('alert')).textContent).toContain('Check your connection');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('alert');
    connection.isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('The page');
  });

  it('is fetched again for whoever comes back to it', async () => {
    const connection = { isUp: false };
    const Page = pageBehind(connection);
    const part = (
      <CatchErrors>
        <Suspense>
          <Page />
        </Suspense>
      </CatchErrors>
    );
    show(part);
    await screen.findByRole('alert');
    cleanup();
    connection.isUp = true;
    show(part);
    await screen.findByText('The page');
  });
});
