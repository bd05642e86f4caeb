import { screen } from '@testing-library/react';
import { ApiError } from '../api/api-error';
import { show } from '../testing/show';
import { UnreadPage } from './unread-page';

describe('a page about one thing that is not there', () => {
  const shown = (found: { isPending: boolean; error: Error | null }, refetch = jest.fn()): ReturnType<typeof show> =>
    show(
      <UnreadPage
        title="Tracker"
        noun="tracker"
        height={260}
        back={{ href: '/trackers', label: 'Trackers' }}
        found={{ ...found, refetch }}
      />,
    );

  it('says that the thing is being read', () => {
    shown({ isPending: true, error: null });
    expect(screen.getByRole('status').getAttribute('aria-label')).toBe('Reading the tracker');
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('says why the thing could not be read, leads back, and reads it again', async () => {
    const refetch = jest.fn();
    const { user } = shown({ isPending: false, error: new ApiError('There is no such tracker', 404) }, refetch);
    expect(screen.getByRole('heading').textContent).toBe('Tracker');
    expect(screen.getByRole('link', { name: 'Trackers' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toMatch(/^The tracker could not be read.*There is no such tracker/);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledTimes(1);
  });
});
