import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import type {
  CampaignTestResponse,
  MessageResponse,
  ShareResponse,
  TestFiguresResponse,
} from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { TestCard } from './test-card';

const MESSAGE = '/api/push/campaigns/{id}';
const WINNER = '/api/push/campaigns/{id}/winner';
const DUE_AT = '2026-11-23T12:00:00.000Z';
const NOBODY: ShareResponse = { users: 0, share: null, low: null, high: null };

function figures(changes: Partial<TestFiguresResponse> = {}): TestFiguresResponse {
  const counts = { sent: 0, delivered: 0, opened: 0, clicked: 0, users: 0 };
  return { ...counts, usersOpened: NOBODY, usersClicked: NOBODY, usersConverted: NOBODY, ...changes };
}

const waiting = { metric: 'opened', variant: null, dueAt: DUE_AT, decidedAt: null, decidedBy: null } as const;
const chosen = { ...waiting, variant: 'urgent', dueAt: null, decidedAt: DUE_AT, decidedBy: 'figures' } as const;

const plain = {
  ...figures({ sent: 1_100, delivered: 900, opened: 90, clicked: 4, users: 1_000 }),
  ...{ name: 'plain', weight: 1, isWinner: false },
  usersOpened: { users: 181, share: 0.181, low: 0.122, high: 0.261 },
};
const urgent = {
  ...figures({ sent: 2_200, delivered: 1_800, opened: 300, clicked: 20, users: 1_001 }),
  ...{ name: 'urgent', weight: 3, isWinner: false },
  usersOpened: { users: 250, share: 0.2498, low: 0.2239, high: 0.2775 },
  usersClicked: { users: 8, share: 0.008, low: 0.0041, high: 0.0157 },
};

function test(changes: Partial<CampaignTestResponse> = {}): CampaignTestResponse {
  const all = figures({ sent: 3_300, delivered: 2_700, opened: 390, clicked: 24, users: 2_001 });
  const verdict = '“urgent” is better than “plain”.';
  return { variants: [plain, urgent], all, holdout: null, winner: waiting, verdict, ...changes };
}

function campaign(of: CampaignTestResponse, changes: object = {}): MessageResponse {
  const content = { winner: { metric: 'opened', after: 7_200, share: 20 } };
  return { id: 'c-1', status: 'sending', content, test: of, ...changes } as unknown as MessageResponse;
}

/** The card of a campaign as it was read; it changes when the campaign is read again. */
function Read(): ReactNode {
  const { data } = useRead(MESSAGE, { params: { path: { id: 'c-1' } } });
  return data && 'test' in data && data.test ? <TestCard kind="campaigns" message={data} test={data.test} /> : null;
}

const rowsOf = (label: string): (string | null)[][] =>
  within(screen.getByRole('table', { name: label }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));
const choices = (): HTMLElement[] => screen.queryAllByRole('button', { name: /^Send this one to the rest/ });

describe('the test of a campaign', () => {
  it('has the figures of each variant and of all, with the rate of those who opened it and its interval', () => {
    show(<TestCard kind="campaigns" message={campaign(test())} test={test()} />);
    expect(rowsOf('Variants')).toEqual([
      ['Variant', 'Weight', 'Sent', 'Delivered', 'Opened', 'Clicked', 'Users', 'Users who opened'],
      ['plain', '1', '1,100', '900', '90', '4', '1,000', '18.1 % (12.2–26.1 %)'],
      ['urgent', '3', '2,200', '1,800', '300', '20', '1,001', '25.0 % (22.4–27.8 %)'],
      ['All', '–', '3,300', '2,700', '390', '24', '2,001', '–'],
    ]);
    expect(screen.getByRole('rowheader', { name: 'plain' })).not.toBeNull();
    screen.getByText('“urgent” is better than “plain”.');
  });

  it.each([
    ['that gets one', waiting, 1],
    ['without one', null, 0],
  ])(
    'says of a campaign %s that the winner’s devices include those that got it later, and its users do not',
    (_, winner, times) => {
      const of = test({ winner });
      show(<TestCard kind="campaigns" message={campaign(of)} test={of} />);
      const words = /winner’s devices include those that got it later.* Its users and its rate are of the test alone/;
      expect(screen.queryAllByText(words)).toHaveLength(times);
    },
  );

  it('compares those who clicked where they decide', () => {
    const of = test({ winner: { ...waiting, metric: 'clicked' } });
    show(<TestCard kind="campaigns" message={campaign(of)} test={of} />);
    expect(rowsOf('Variants').map((cells) => cells.at(-1))).toEqual([
      'Users who clicked',
      '–',
      '0.80 % (0.41–1.57 %)',
      '–',
    ]);
  });

  it('compares those who got it with those held out, also without variants', () => {
    const all = figures({ users: 900, usersConverted: { users: 90, share: 0.1, low: 0.0821, high: 0.1214 } });
    const usersConverted = { users: 5, share: 0.05, low: 0.0215, high: 0.1118 };
    const holdout = { percent: 10, users: 100, usersConverted, verdict: 'The difference may be chance.' };
    const of = test({ variants: [], winner: null, verdict: null, all, holdout });
    show(<TestCard kind="campaigns" message={campaign(of)} test={of} />);
    expect(rowsOf('Conversions with and without the campaign').slice(1)).toEqual([
      ['Got the campaign', '900', '90', '10.0 % (8.2–12.1 %)'],
      ['Held out', '100', '5', '5.0 % (2.2–11.2 %)'],
    ]);
    screen.getByText(/^10 % of the users get nothing/);
    screen.getByText('The difference may be chance.');
    expect(screen.queryByRole('table', { name: 'Variants' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Winner' })).toBeNull();
  });

  it.each([
    ['chosen by figures', chosen, {}, /“urgent” was chosen by its figures on Nov \d+, 2026/],
    ['chosen by a person', { ...chosen, decidedBy: 'caller' }, {}, /“urgent” was chosen by a person on Nov/],
    ['due', waiting, {}, /users who opened the message is chosen on Nov \d+, 2026/],
    ['of a campaign that waits', { ...waiting, dueAt: null }, {}, /is chosen 2 h after the campaign has left/],
    ['of a cancelled campaign', waiting, { status: 'cancelled' }, /None was chosen: the campaign was cancelled/],
    [
      'of a campaign that is over',
      { ...waiting, dueAt: null },
      { status: 'done' },
      /No winner was chosen before the campaign ended/,
    ],
  ] as const)('says of a winner %s what became of it', (_, winner, changes, words) => {
    const of = test({ winner });
    show(<TestCard kind="campaigns" message={campaign(of, changes)} test={of} />);
    expect(screen.getByRole('region', { name: 'Winner' }).textContent).toMatch(words);
  });
});

describe('the choice of a winner by hand', () => {
  it('is asked about, sent once, and shown', async () => {
    const gateway = new FakeGateway();
    const after = campaign(
      test({ winner: { ...chosen, decidedBy: 'caller' }, variants: [plain, { ...urgent, isWinner: true }] }),
    );
    let isChosen = false;
    gateway.answer('GET', MESSAGE, () => (isChosen ? after : campaign(test())));
    gateway.answer('POST', WINNER, () => {
      isChosen = true;
      return after;
    });
    const { user } = show(<Read />, { gateway, scopes: ['read', 'send'] });
    await user.click(await screen.findByRole('button', { name: 'Send this one to the rest: urgent' }));
    expect(gateway.askedFor('POST', WINNER)).toHaveLength(0);
    await user.dblClick(screen.getByRole('button', { name: 'Send it to the rest' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.askedFor('POST', WINNER).map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/apps/shop/api/push/campaigns/c-1/winner', body: { variant: 'urgent' } },
    ]);
    await screen.findByText(/was chosen by a person/);
    expect(screen.getByRole('rowheader', { name: /urgent.*winner/ })).not.toBeNull();
    expect(choices()).toHaveLength(0);
  });

  it('that comes too late stays on the screen with what the service says, over the campaign as it is now', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('POST', WINNER, 409, { message: 'The winner was chosen before: urgent', code: 'CONFLICT' });
    gateway.answer('GET', MESSAGE, campaign(test()));
    const { user } = show(<Read />, { gateway });
    await user.click(await screen.findByRole('button', { name: 'Send this one to the rest: plain' }));
    gateway.answer('GET', MESSAGE, campaign(test({ winner: chosen })));
    await user.click(screen.getByRole('button', { name: 'Send it to the rest' }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/The winner was chosen before: urgent/);
    expect(within(dialog).getByText(/Close this dialog to see the current state/)).not.toBeNull();
    await screen.findByText(/was chosen by its figures/);
    expect(within(dialog).getByText(/The winner was chosen before/)).not.toBeNull();
  });

  it.each([
    ['to those who may not send', test(), {}, 'read'],
    ['once it is made', test({ winner: chosen }), {}, 'server'],
    ['where nobody waits for a winner', test({ winner: null }), {}, 'server'],
    ['of a cancelled campaign', test(), { status: 'cancelled' }, 'server'],
    ['of a campaign that is over', test(), { status: 'done' }, 'server'],
  ] as const)('is not offered %s', (_, of, changes, scope) => {
    show(<TestCard kind="campaigns" message={campaign(of, changes)} test={of} />, { scopes: [scope] });
    expect(screen.getByRole('table', { name: 'Variants' })).not.toBeNull();
    expect(choices()).toHaveLength(0);
  });
});
