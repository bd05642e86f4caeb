import { act, fireEvent, screen } from '@testing-library/react';
import { onlineManager } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FakeGateway } from '../testing/fake-gateway';
import { show } from '../testing/show';
import { DataTable } from '../components/data-table';
import { UnreadPage } from '../components/unread-page';
import { useCursorList, useRead } from './reading';

const PATH = '/api/push/overview/campaigns';
const DRAFTS = '/api/drafts';

function EverySecond(): ReactNode {
  const { data } = useRead(PATH, { pollMs: 1_000 });
  return data === undefined ? 'nothing' : 'counted';
}

const BACK = { href: '/', label: 'Overview' };

function PolledPage(): ReactNode {
  const found = useRead(PATH, { pollMs: 1_000 });
  if (found.data === undefined) return <UnreadPage title="Trend" noun="trend" height={9} back={BACK} found={found} />;
  return 'counted';
}

function PolledList(): ReactNode {
  const list = useCursorList(DRAFTS, 'drafts', { pollMs: 1_000 });
  return <DataTable label="Drafts" columns={[]} list={list} rowKey={({ id }) => id} empty="No draft yet" />;
}

/** An answer that is given when the test says so. */
function held(): { promise: Promise<never>; give: (answer: object) => void } {
  let give: (answer: never) => void = () => undefined;
  const promise = new Promise<never>((resolve) => {
    give = resolve;
  });
  return { promise, give: (answer) => give(answer as never) };
}

describe('something that is read again and again', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const pass = (seconds: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(seconds * 1_000));

  it('is asked for every ten seconds while it cannot be read, and as often as before once it can', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('GET', PATH, 500, { message: 'Something is wrong' });
    show(<EverySecond />, { gateway });
    await pass(9);
    expect(gateway.askedFor('GET', PATH)).toHaveLength(1);

    gateway.answer('GET', PATH, { asOf: null, days: [] });
    await pass(2);
    screen.getByText('counted');
    const asked = gateway.askedFor('GET', PATH).length;
    await pass(2);
    expect(gateway.askedFor('GET', PATH).length).toBeGreaterThan(asked);
  });

  const pages = [
    { what: 'a page', part: <PolledPage />, path: PATH, title: 'The trend could not be read', shown: 'counted' },
    { what: 'a list', part: <PolledList />, path: DRAFTS, title: 'Drafts could not be read', shown: 'No draft yet' },
  ] as const;

  it.each(pages)('says of $what why it cannot be read, also while it is asked for again', async (page) => {
    const gateway = new FakeGateway();
    gateway.refuse('GET', page.path, 500, { message: 'Something is wrong' });
    show(page.part, { gateway });
    await pass(1);
    screen.getByText(page.title);

    const answer = held();
    gateway.answer('GET', page.path, () => answer.promise);
    await pass(10);
    expect(gateway.askedFor('GET', page.path)).toHaveLength(2);
    screen.getByText(page.title);
    expect(screen.queryByRole('status')).toBeNull();

    answer.give({ asOf: null, days: [], drafts: [], nextCursor: null });
    await pass(1);
    screen.getByText(page.shown);
    expect(screen.queryByText(page.title)).toBeNull();
  });

  it('shows on the button that it is asked for again', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('GET', PATH, 500, { message: 'Something is wrong' });
    show(<PolledPage />, { gateway });
    await pass(1);
    const answer = held();
    gateway.answer('GET', PATH, () => answer.promise);
    const again = screen.getByRole('button', { name: 'Try again' });
    fireEvent.click(again);
    await pass(1);
    expect(again.isConnected).toBe(true);
    expect(again.getAttribute('aria-busy')).toBe('true');
    answer.give({ asOf: null, days: [] });
    await pass(1);
    screen.getByText('counted');
  });

  it('says that the browser is off line, and is read as soon as it is not', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, { asOf: null, days: [] });
    onlineManager.setOnline(false);
    show(<PolledPage />, { gateway });
    await pass(1);
    screen.getByText('The trend could not be read');
    screen.getByText(/Your browser is off line/);
    onlineManager.setOnline(true);
    await pass(1);
    screen.getByText('counted');
  });
});
