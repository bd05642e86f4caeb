import { screen, waitFor } from '@testing-library/react';
import type { TrackerResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { TrackersPage } from './trackers-page';

const PATH = '/api/trackers';

const TRACKER: TrackerResponse = {
  id: 't1',
  name: 'Poster',
  url: 'https://l.example/t1',
  deepLink: 'shop://sale',
  destination: 'https://shop.example',
  redirect: null,
  platforms: { ios: 'https://apps.apple.com/app/id1' },
  allowedHosts: ['m.shop.example'],
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
};

/** A gateway that knows one tracker. */
function gatewayWith(tracker: TrackerResponse): FakeGateway {
  const gateway = new FakeGateway();
  gateway.answer('GET', '/api/trackers/{id}', tracker);
  gateway.answer('GET', '/api/trackers/{id}/stats', () => new Promise(() => undefined));
  return gateway;
}

const field = (name: string | RegExp): HTMLElement => screen.getByRole('textbox', { name });

describe('the dialog of a tracker', () => {
  it('creates a tracker from what was typed, and opens its page', async () => {
    const gateway = gatewayWith(TRACKER);
    gateway.answer('GET', PATH, { trackers: [], nextCursor: null });
    gateway.answer('POST', PATH, TRACKER);
    const { user } = show(<TrackersPage />, { gateway, at: '/trackers' });
    await user.click(await screen.findByRole('button', { name: 'New tracker' }));
    await user.type(field('Name'), ' Poster ');
    await user.type(field('Without the app on iOS'), 'https://apps.apple.com/app/id1');
    await user.click(screen.getByRole('button', { name: 'Create tracker' }));
    expect(await screen.findByRole('heading', { name: 'Poster' })).toBeTruthy();
    expect(window.location.pathname).toBe('/trackers/t1');
    expect(gateway.askedFor('POST', PATH).map(({ body }) => body)).toEqual([
      {
        name: 'Poster',
        deepLink: null,
        destination: null,
        platforms: { ios: 'https://apps.apple.com/app/id1' },
        allowedHosts: [],
      },
    ]);
  });

  it('sends nothing while the name is missing or a link is refused, and says so at the fields', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: [], nextCursor: null });
    const { user } = show(<TrackersPage />, { gateway, at: '/trackers' });
    await user.click(await screen.findByRole('button', { name: 'New tracker' }));
    await user.type(field('Everywhere else'), 'javascript:alert(1)');
    await user.click(screen.getByRole('button', { name: 'Create tracker' }));
    expect(screen.getByText('Enter a name')).toBeTruthy();
    expect(screen.getByText('Links with javascript: are not allowed')).toBeTruthy();
    expect(gateway.askedFor('POST', PATH)).toEqual([]);
  });

  it('shows a problem of the gateway at the field that has it, also inside platforms and hosts', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: [], nextCursor: null });
    const details = [
      { path: 'platforms.ios', message: 'must lead to an allowed host' },
      { path: 'allowedHosts[1]', message: 'must be a host' },
    ];
    gateway.refuse('POST', PATH, 400, { message: 'Bad fields', details });
    const { user } = show(<TrackersPage />, { gateway, at: '/trackers' });
    await user.click(await screen.findByRole('button', { name: 'New tracker' }));
    await user.type(field('Name'), 'Poster{Enter}');
    expect(await screen.findByText('must lead to an allowed host')).toBeTruthy();
    expect(screen.getByText('[1] must be a host')).toBeTruthy();
    expect(field('Without the app on iOS').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toBe('Correct the marked fields and try again.');
  });

  it('shows what is saved, removes a link that was emptied, and shows the page anew', async () => {
    const gateway = gatewayWith(TRACKER);
    gateway.answer('PATCH', '/api/trackers/{id}', () => {
      const changed = { ...TRACKER, destination: null };
      gateway.answer('GET', '/api/trackers/{id}', changed);
      return changed;
    });
    const { user } = show(<TrackersPage />, { gateway, at: '/trackers/t1' });
    expect(await screen.findByText('https://shop.example')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Change' }));
    expect(screen.getByDisplayValue('shop://sale')).toBeTruthy();
    await user.clear(field('Everywhere else'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.queryByText('https://shop.example')).toBeNull());
    expect(gateway.askedFor('PATCH', '/api/trackers/{id}').map(({ body }) => body)).toEqual([{ destination: null }]);
  });

  it('keeps what another person changed meanwhile', async () => {
    const gateway = gatewayWith(TRACKER);
    gateway.answer('PATCH', '/api/trackers/{id}', TRACKER);
    const { user } = show(<TrackersPage />, { gateway, at: '/trackers/t1' });
    await user.click(await screen.findByRole('button', { name: 'Change' }));
    const platforms = { ios: 'https://apps.apple.com/app/id2' };
    gateway.answer('GET', '/api/trackers/{id}', { ...TRACKER, name: 'Poster in Graz', platforms });
    await user.type(field('On a computer'), 'https://shop.example/app');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.askedFor('PATCH', '/api/trackers/{id}').map(({ body }) => body)).toEqual([
      { platforms: { ...platforms, web: 'https://shop.example/app' } },
    ]);
  });

  it('says what another person has saved meanwhile in the same field, and replaces it when it is saved again', async () => {
    const gateway = gatewayWith(TRACKER);
    gateway.answer('PATCH', '/api/trackers/{id}', TRACKER);
    const { user } = show(<TrackersPage />, { gateway, at: '/trackers/t1' });
    await user.click(await screen.findByRole('button', { name: 'Change' }));
    await user.clear(field('Name'));
    await user.type(field('Name'), 'Mine');
    gateway.answer('GET', '/api/trackers/{id}', { ...TRACKER, name: 'Theirs', destination: 'https://new.example' });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Somebody else has saved “Theirs” here meanwhile. Save again to replace it');
    expect(gateway.askedFor('PATCH', '/api/trackers/{id}')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.askedFor('PATCH', '/api/trackers/{id}').map(({ body }) => body)).toEqual([{ name: 'Mine' }]);
  });

  it('lets a reader see where a tracker leads, and change nothing', async () => {
    show(<TrackersPage />, { gateway: gatewayWith(TRACKER), scopes: ['read'], at: '/trackers/t1' });
    expect(await screen.findByText('m.shop.example')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  });
});
