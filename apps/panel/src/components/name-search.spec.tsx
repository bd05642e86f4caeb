import { screen, waitFor } from '@testing-library/react';
import type { SegmentResponse } from '@postrider/server/document';
import { SegmentsPage } from '../pages/segments/segments-page';
import { FakeGateway } from '../testing/fake-gateway';
import { show, type Shown } from '../testing/show';

const PATH = '/api/segments';

function segment(name: string): SegmentResponse {
  const at = '2026-05-01T10:00:00.000Z';
  return { id: name, name, target: {}, revision: 1, createdAt: at, updatedAt: at, size: null };
}

/** Shows the list of segments, of which the gateway finds those with a part of a name. */
function showSegments(at: string, names: string[] = ['Lapsed', 'VIP']): Shown {
  const gateway = new FakeGateway();
  gateway.answer('GET', PATH, ({ query: { name = '' } }) => ({
    segments: names.filter((one) => one.toLowerCase().includes(name)).map(segment),
    nextCursor: null,
  }));
  return show(<SegmentsPage />, { gateway, at });
}

const rowCount = async (): Promise<string | null> => (await screen.findByRole('table')).getAttribute('aria-rowcount');

describe('the search of a list by a part of the name', () => {
  it('finds while it is typed, stands in the address, and shows everything again when it is cleared', async () => {
    const { user, gateway } = showSegments('/segments');
    expect(await rowCount()).toBe('3');
    await user.type(screen.getByRole('textbox', { name: 'Search' }), 'lap ');
    // A slow machine asks for a part of it before.
    await waitFor(() => expect(gateway.askedFor('GET', PATH).at(-1)?.query).toMatchObject({ name: 'lap' }));
    await waitFor(async () => expect(await rowCount()).toBe('2'));
    expect(new URLSearchParams(window.location.search).get('name')).toBe('lap ');
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    await waitFor(async () => expect(await rowCount()).toBe('3'));
    expect(window.location.search).toBe('');
  });

  it('says that nothing was found, and still offers to make one', async () => {
    const { gateway } = showSegments('/segments?name=gold');
    await screen.findByRole('heading', { name: 'No segment has this in its name' });
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveProperty('value', 'gold');
    expect(screen.getByRole('link', { name: 'New segment' })).toBeTruthy();
    expect(gateway.askedFor('GET', PATH)).toHaveLength(1);
  });

  it('is not there where nothing can be found', async () => {
    showSegments('/segments', []);
    await screen.findByRole('heading', { name: 'No segment is saved yet' });
    expect(screen.queryByRole('textbox', { name: 'Search' })).toBeNull();
  });
});
