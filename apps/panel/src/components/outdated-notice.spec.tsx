import { screen, waitFor, within } from '@testing-library/react';
import type { TrackerResponse } from '@postrider/server/document';
import { TrackerPage } from '../pages/trackers/tracker-page';
import { FakeGateway } from '../testing/fake-gateway';
import { show } from '../testing/show';
import { OutdatedNotice } from './outdated-notice';

const PATH = '/api/trackers/{id}';
const TRACKER: TrackerResponse = {
  id: 't1',
  name: 'Poster at the station',
  url: 'https://l.example/t1',
  deepLink: null,
  destination: 'https://shop.example/1',
  redirect: null,
  platforms: {},
  allowedHosts: [],
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
};

const page = (
  <>
    <OutdatedNotice />
    <TrackerPage id="t1" />
  </>
);

describe('a page that cannot be read again', () => {
  it('stays as it was, says that it is not up to date, and is read again when asked', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, TRACKER);
    const { user, readAgain } = show(page, { gateway });
    await screen.findByRole('heading', { name: TRACKER.name });
    expect(screen.queryByText('This page is not up to date')).toBeNull();
    gateway.refuse('GET', PATH, 500, { message: 'Something broke' });
    await readAgain();
    const notice = (await screen.findByText('This page is not up to date')).closest('[role="alert"]') as HTMLElement;
    expect(notice.textContent).toContain('Something broke');
    expect(screen.getByRole('heading', { name: TRACKER.name })).toBeTruthy();
    gateway.answer('GET', PATH, { ...TRACKER, name: 'Poster at the harbour' });
    await user.click(within(notice).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Poster at the harbour' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('This page is not up to date')).toBeNull());
  });

  it('is there in a browser of 2022, which does not sort a copy of a list', async () => {
    const { toSorted } = Array.prototype;
    Object.assign(Array.prototype, { toSorted: undefined });
    try {
      const gateway = new FakeGateway();
      gateway.answer('GET', PATH, TRACKER);
      show(page, { gateway });
      await screen.findByRole('heading', { name: TRACKER.name });
    } finally {
      Object.assign(Array.prototype, { toSorted });
    }
  });

  it('that was never read says so itself', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('GET', PATH, 500, { message: 'Something broke' });
    show(page, { gateway });
    expect(await screen.findByText('The tracker could not be read')).toBeTruthy();
    expect(screen.queryByText('This page is not up to date')).toBeNull();
  });
});
