import { screen, waitFor } from '@testing-library/react';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { UserList } from './users-page';

const PATH = '/api/users';

describe('the list of users', () => {
  it('is searched by an attribute beside the beginning of the ids', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { users: [], nextCursor: null });
    const { user } = show(<UserList />, { gateway, at: '/users?prefix=a' });
    await screen.findByText('No user id begins with this text');
    await user.type(screen.getByRole('textbox', { name: 'Attribute' }), 'city');
    await user.type(screen.getByRole('textbox', { name: 'Value' }), 'Graz{Enter}');
    await screen.findByText('No user has this attribute');
    const file = new URL(
      screen.getByRole('link', { name: 'Export as CSV' }).getAttribute('href') ?? '',
      'http://panel',
    );
    expect(Object.fromEntries(file.searchParams)).toEqual({
      ...{ prefix: 'a', attribute: 'city', value: 'Graz', format: 'csv' },
    });
    expect(gateway.askedFor('GET', PATH).at(-1)?.query).toMatchObject({
      ...{ prefix: 'a', attribute: 'city', value: 'Graz' },
    });
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(window.location.search).toBe('?prefix=a'));
  });
});
