import { screen, waitFor } from '@testing-library/react';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { UserList } from './users-page';

const PATH = '/api/users';
const FIELDS = '/api/segments/fields';

describe('the list of users', () => {
  it('is searched by an attribute beside the beginning of the ids', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { users: [], nextCursor: null });
    gateway.answer('GET', FIELDS, { devices: 0, fields: [] });
    const { user } = show(<UserList />, { gateway, at: '/users?prefix=a' });
    await screen.findByText('No user id begins with this text');
    await user.type(screen.getByRole('combobox', { name: 'Attribute' }), 'city');
    await user.type(screen.getByRole('combobox', { name: 'Value' }), 'Graz{Enter}');
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
    const value = screen.getByRole('combobox', { name: 'Value' });
    expect(document.activeElement).toBe(value);
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(window.location.search).toBe('?prefix=a'));
    expect(value).toHaveProperty('value', '');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Attribute' }));
  });

  it('suggests the attributes that devices have and their values, and says that a tag is none', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { users: [], nextCursor: null });
    gateway.answer('GET', FIELDS, {
      devices: 3,
      fields: [
        { name: 'city', values: [{ value: 'Graz', devices: 2 }] },
        { name: 'tags.plan', values: [{ value: 'premium', devices: 1 }] },
      ],
    } as never);
    const { user } = show(<UserList />, { gateway, at: '/users' });
    await user.click(await screen.findByRole('combobox', { name: 'Attribute' }));
    await user.click(await screen.findByRole('option', { name: 'city' }));
    await user.click(screen.getByRole('combobox', { name: 'Value' }));
    await user.click(await screen.findByRole('option', { name: 'Graz' }));
    await user.click(screen.getByRole('button', { name: 'Find users' }));
    await screen.findByText('No user has this attribute');
    expect(gateway.askedFor('GET', PATH).at(-1)?.query).toMatchObject({ attribute: 'city', value: 'Graz' });

    await user.clear(screen.getByRole('combobox', { name: 'Attribute' }));
    await user.type(screen.getByRole('combobox', { name: 'Attribute' }), 'plan');
    expect(screen.getByRole('status').textContent).toMatch(/^“plan” is a tag\. This search looks at attributes only\./);
    await user.click(screen.getByRole('button', { name: 'Find users' }));
    await screen.findByText('This is a tag, not an attribute');
  });

  it('shows the value of a tag that has one', async () => {
    const gateway = new FakeGateway();
    const ada = { userId: 'ada', tags: ['plan', 'vip'], tagValues: { plan: 'premium' }, devices: 1 };
    gateway.answer('GET', PATH, { users: [{ ...ada, createdAt: '2026-11-23T10:00:00.000Z' }], nextCursor: null });
    show(<UserList />, { gateway, at: '/users' });
    await screen.findByText('plan = premium');
    screen.getByText('vip');
  });
});
