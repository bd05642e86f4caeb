import { screen, waitFor } from '@testing-library/react';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { DraftsPage } from './drafts-page';

const AT = '2026-11-22T10:00:00.000Z';

describe('the list of drafts', () => {
  let gateway: FakeGateway;

  beforeEach(() => {
    gateway = new FakeGateway();
    const draft = { id: 'd-1', name: 'Spring', revision: 3, createdAt: AT, updatedAt: AT, updatedBy: 'Grace' };
    gateway.answer('GET', '/api/drafts', { drafts: [draft], nextCursor: null });
    gateway.answer('POST', '/api/drafts/{id}/duplicate', { ...draft, message: {} });
    gateway.answer('DELETE', '/api/drafts/{id}', { id: 'd-1' });
  });

  it('opens a draft, says who saved it, duplicates it', async () => {
    const { user } = show(<DraftsPage />, { gateway });
    const link = await screen.findByRole('link', { name: /Spring/ });
    expect(link.getAttribute('href')).toBe('/compose?draft=d-1');
    expect(screen.getByText('Grace')).not.toBeNull();
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).not.toContain('');
    await user.click(screen.getByRole('button', { name: 'Duplicate: Spring' }));
    await waitFor(() => expect(gateway.askedFor('POST', '/api/drafts/{id}/duplicate')).toHaveLength(1));
  });

  it('asks before a draft is deleted', async () => {
    const { user } = show(<DraftsPage />, { gateway });
    await user.click(await screen.findByRole('button', { name: 'Delete: Spring' }));
    expect(gateway.askedFor('DELETE', '/api/drafts/{id}')).toHaveLength(0);
    await user.click(await screen.findByRole('button', { name: 'Delete it' }));
    await waitFor(() => expect(gateway.askedFor('DELETE', '/api/drafts/{id}')).toHaveLength(1));
  });
});
