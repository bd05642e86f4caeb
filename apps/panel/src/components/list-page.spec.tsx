import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MINUTE_MS } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import type { TrackerResponse } from '@postrider/server/document';
import { TrackerList } from '../pages/trackers/trackers-page';
import { FakeGateway } from '../testing/fake-gateway';
import { show } from '../testing/show';
import { OutdatedNotice } from './outdated-notice';

const PATH = '/api/trackers';

const tracker = (n: number): TrackerResponse => ({
  id: `t${n}`,
  name: `Poster ${n}`,
  url: `https://l.example/t${n}`,
  deepLink: null,
  destination: `https://shop.example/${n}`,
  redirect: null,
  platforms: {},
  allowedHosts: [],
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
});

const trackers = (from: number, count: number): TrackerResponse[] =>
  Array.from({ length: count }, (_, n) => tracker(from + n));

/** The names in the rows that are on the screen. */
const shownNames = (): string[] => screen.getAllByRole('link', { name: /^Poster/ }).map((link) => link.textContent);

/** Scrolls so far down that the end of any list is in sight. */
function scrollDown(to = 3_000): void {
  Object.defineProperty(window, 'scrollY', { configurable: true, value: to });
  fireEvent.scroll(window);
}

const page: ReactNode = <TrackerList />;

/** A page that its reader leaves and comes back to. */
function Opened({ children }: { children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Elsewhere' : 'Back'}</button>
      {isOpen && children}
    </>
  );
}

describe('a list page', () => {
  /** How much of the page stands above the list. */
  let above = 0;

  beforeEach(() => {
    above = 0;
    const place = (): DOMRect => new DOMRect(0, above - window.scrollY, 0, 0);
    jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(place);
  });

  afterEach(() => Object.defineProperty(window, 'scrollY', { configurable: true, value: 0 }));

  it('says that it is reading until the first part is there', async () => {
    const gateway = new FakeGateway();
    let arrive = (): void => undefined;
    const read = new Promise<void>((resolve) => (arrive = resolve));
    gateway.answer('GET', PATH, async () => {
      await read;
      return { trackers: trackers(1, 1), nextCursor: null };
    });
    show(page, { gateway });
    expect(screen.getByRole('status', { name: 'Reading' })).toBeTruthy();
    arrive();
    expect(await screen.findByRole('link', { name: 'Poster 1' })).toBeTruthy();
    expect(screen.queryByRole('status', { name: 'Reading' })).toBeNull();
  });

  it('shows a heading for every column, and a row that opens what it stands for', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: trackers(7, 2), nextCursor: null });
    show(page, { gateway });
    const table = await screen.findByRole('table', { name: 'Trackers' });
    const headings = within(table).getAllByRole('columnheader');
    expect(headings.map(({ textContent }) => textContent)).toEqual(['Name', 'Leads to', 'Link', 'Made']);
    expect(table.getAttribute('aria-rowcount')).toBe('3');
    const [row] = within(table).getAllByRole('row').slice(1);
    expect(row?.textContent).toContain('https://shop.example/7');
    expect(within(row!).getByRole('link').getAttribute('href')).toBe('/trackers/t7');
  });

  it('offers to make the first item where there is none, and nothing to whoever may not make one', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: [], nextCursor: null });
    show(page, { gateway });
    expect(await screen.findByRole('heading', { name: 'No tracker yet' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'New tracker' })).toHaveLength(1);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('offers a reader nothing to make', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: [], nextCursor: null });
    show(page, { gateway, scopes: ['read'] });
    await screen.findByRole('heading', { name: 'No tracker yet' });
    expect(screen.queryByRole('button', { name: 'New tracker' })).toBeNull();
  });

  it('says what went wrong, and reads again when asked', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('GET', PATH, 403, { message: 'This token may not read' });
    const { user } = show(page, { gateway });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Trackers could not be read');
    expect(alert.textContent).toContain('This token may not read');
    gateway.answer('GET', PATH, { trackers: trackers(1, 1), nextCursor: null });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Poster 1' })).toBeTruthy();
  });

  it('holds only the rows in sight, and reads the next part before its end is reached', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, ({ query }) =>
      query.cursor === undefined
        ? { trackers: trackers(1, 50), nextCursor: 'after-50' }
        : { trackers: trackers(51, 5), nextCursor: null },
    );
    show(page, { gateway });
    const table = await screen.findByRole('table', { name: 'Trackers' });
    expect(table.getAttribute('aria-rowcount')).toBe('-1');
    expect(shownNames()).toContain('Poster 1');
    expect(shownNames().length).toBeLessThan(50);
    expect(gateway.askedFor('GET', PATH)).toHaveLength(1);
    scrollDown();
    await waitFor(() => expect(table.getAttribute('aria-rowcount')).toBe('56'));
    scrollDown();
    await screen.findByRole('link', { name: 'Poster 55' });
    expect(gateway.askedFor('GET', PATH).map(({ query }) => query.cursor)).toEqual([undefined, 'after-50']);
  });

  it('prints every row that was read, and says that there are more', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: trackers(1, 50), nextCursor: 'after-50' });
    show(page, { gateway });
    await screen.findByRole('table', { name: 'Trackers' });
    const inSight = shownNames();
    fireEvent(window, new Event('beforeprint'));
    expect(shownNames()).toEqual(trackers(1, 50).map(({ name }) => name));
    expect(screen.getByText(/^More rows follow/)).toBeTruthy();
    fireEvent(window, new Event('afterprint'));
    expect(shownNames()).toEqual(inSight);
    expect(gateway.askedFor('GET', PATH)).toHaveLength(1);
  });

  it('does not read a long list again when its reader comes back, until something in it was changed', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, ({ query }) =>
      query.cursor === undefined
        ? { trackers: trackers(1, 50), nextCursor: 'after-50' }
        : { trackers: trackers(51, 5), nextCursor: null },
    );
    const { user, readAgain } = show(<Opened>{page}</Opened>, { gateway });
    const asked = (): unknown[] => gateway.askedFor('GET', PATH).map(({ query }) => query.cursor);
    const comesBack = async (): Promise<void> => {
      fireEvent(window, new Event('visibilitychange'));
      await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
      await user.click(screen.getByRole('button', { name: 'Back' }));
      await screen.findByRole('table', { name: 'Trackers' });
    };
    await screen.findByRole('table', { name: 'Trackers' });
    scrollDown();
    await waitFor(() => expect(asked()).toEqual([undefined, 'after-50']));
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('56'));
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + MINUTE_MS);
    await comesBack();
    await readAgain();
    expect(asked()).toEqual([undefined, 'after-50', undefined, 'after-50']);
  });

  it('keeps the heights of its rows for the reader who comes back, so that the same ones are in sight', async () => {
    jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(90);
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: trackers(1, 50), nextCursor: null });
    const { user } = show(<Opened>{page}</Opened>, { gateway });
    const length = async (): Promise<number> => {
      const table = await screen.findByRole('table');
      return Number.parseInt(table.querySelector<HTMLElement>('[role=rowgroup]:last-child')?.style.height ?? '', 10);
    };
    await screen.findByRole('link', { name: 'Poster 1' });
    const left = await length();
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    scrollDown();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByRole('link', { name: 'Poster 50' });
    expect(screen.queryByRole('link', { name: 'Poster 1' })).toBeNull();
    // The rows that are in sight now are measured, and add to what was known of the others.
    expect(await length()).toBeGreaterThan(left);
  });

  it('shows the rows in sight when what stands above it has grown meanwhile', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { trackers: trackers(1, 50), nextCursor: null });
    show(page, { gateway });
    await screen.findByRole('table', { name: 'Trackers' });
    above = 2_000;
    scrollDown(2_100);
    await screen.findByRole('link', { name: 'Poster 1' });
    expect(screen.queryByRole('link', { name: 'Poster 50' })).toBeNull();
  });

  it('keeps its rows when the next part could not be read, says so, and reads it only when asked', async () => {
    const gateway = new FakeGateway();
    gateway.answerWith('GET', PATH, ({ query }) =>
      query.cursor === undefined
        ? Response.json({ trackers: trackers(1, 50), nextCursor: 'after-50' })
        : Response.json({ error: { message: 'Something broke' } }, { status: 500 }),
    );
    const { user } = show(
      <>
        <OutdatedNotice />
        {page}
      </>,
      { gateway },
    );
    await screen.findByRole('table', { name: 'Trackers' });
    scrollDown();
    expect((await screen.findByRole('alert')).textContent).toContain('The rest could not be read');
    scrollDown();
    expect(gateway.askedFor('GET', PATH).map(({ query }) => query.cursor)).toEqual([undefined, 'after-50']);
    gateway.answer('GET', PATH, { trackers: trackers(51, 5), nextCursor: null });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('56'));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
