import { screen, waitFor, within } from '@testing-library/react';
import type { CampaignDayResponse, CampaignSummaryResponse } from '@postrider/server/document';
import { formatMoment } from '../../components/format';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { CampaignList } from './campaigns-page';

const PATH = '/api/push/campaigns';
const AT = '2026-11-23T10:00:00.000Z';

describe('the list of campaigns', () => {
  const campaign = (changes: object): CampaignSummaryResponse =>
    ({
      ...{ id: 'c-1', kind: 'query', status: 'done', count: 2_000_000, trackId: 'sale', acceptedAt: AT, sendAt: null },
      ...{ content: { content: 'Sale' }, engagement: { delivered: 1_500_000, opened: 170_000, clicked: 900 } },
      ...changes,
    }) as CampaignSummaryResponse;
  const planned = { id: 'c-2', trackId: 'next', name: null, status: 'accepted', count: 0, createdAt: AT } as const;

  const aGateway = (days: CampaignDayResponse[] = []): FakeGateway => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/templates', { templates: [], nextCursor: null });
    gateway.answer('GET', '/api/push/overview/campaigns', { asOf: AT, days });
    return gateway;
  };

  it('says what the campaigns of a month came to, with a line where there were several days of them', async () => {
    const day = (date: string, devices: number, opened: number): CampaignDayResponse => ({
      ...{ at: `2026-11-${date}T00:00:00.000Z`, campaigns: devices === 0 ? 0 : 1, devices, delivered: devices },
      ...{ opened, clicked: 0 },
    });
    const gateway = aGateway([day('20', 1_000, 100), day('21', 0, 0), day('22', 3_000, 500)]);
    gateway.answer('GET', PATH, { campaigns: [campaign({})], nextCursor: null });
    show(<CampaignList />, { gateway });
    const trend = within(await screen.findByRole('region', { name: 'The last 30 days' }));
    trend.getByText('4,000');
    trend.getByText('2 campaigns');
    trend.getByText('15 %');
    trend.getByText(/^Counted/);
    const opened = trend.getByRole('img', { name: /^Opened by 15 %/ });
    // Two days have a rate: 10 % at the bottom, and 16.7 % at the top.
    expect(opened.querySelector('path')?.getAttribute('d')).toBe('M0.0 24.0L100.0 0.0');
  });

  it('shows no month where no campaign left', async () => {
    const gateway = aGateway();
    gateway.answer('GET', PATH, { campaigns: [planned], nextCursor: null });
    show(<CampaignList />, { gateway });
    await screen.findByRole('table', { name: 'Campaigns' });
    await waitFor(() => expect(gateway.askedFor('GET', '/api/push/overview/campaigns')).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'The last 30 days' })).toBeNull();
  });

  it('has how many opened and clicked, and the share of the devices that these are', async () => {
    const gateway = aGateway();
    gateway.answer('GET', PATH, { campaigns: [campaign({}), planned], nextCursor: null });
    show(<CampaignList />, { gateway });
    const table = await screen.findByRole('table', { name: 'Campaigns' });
    const rows = within(table).getAllByRole('row').slice(1);
    const cells = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
    expect(cells[0]?.slice(2, 5)).toEqual(['2,000,000', '170,0008.5 % of devices', '900< 0.1 % of devices']);
    expect(cells[1]?.slice(2, 5)).toEqual(['–', '–', '–']);
  });

  it('says of a campaign that waits when it leaves', async () => {
    const gateway = aGateway();
    const at = '2999-12-01T09:00:00.000Z';
    const waiting = campaign({
      status: 'accepted',
      sendAt: at,
      startsAt: at,
      engagement: { delivered: 0, opened: 0, clicked: 0 },
    });
    gateway.answer('GET', PATH, { campaigns: [waiting], nextCursor: null });
    show(<CampaignList />, { gateway });
    const row = (await screen.findAllByRole('row'))[1]!;
    const cells = within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
    expect(cells.slice(1, -1)).toEqual(['scheduled', '2,000,000', '–', '–']);
    expect(cells.at(-1)?.startsWith(`${formatMoment(at)} accepted `)).toBe(true);
  });

  it('is narrowed down by what the address says, beside what is searched for', async () => {
    const gateway = aGateway();
    gateway.answer('GET', PATH, { campaigns: [], nextCursor: null });
    const { user } = show(<CampaignList />, { gateway, at: '/campaigns?trackId=sale&since=2026-11-01' });
    await screen.findByText('There is no such campaign');
    await user.click(screen.getByRole('combobox', { name: 'State' }));
    await user.click(screen.getByRole('option', { name: 'done' }));
    await user.type(screen.getByLabelText('Sent until'), '2026-11-22');
    await user.type(screen.getByLabelText('Language'), 'fa');
    const asked = {
      ...{ trackId: 'sale', status: 'done', language: 'fa' },
      from: new Date('2026-11-01T00:00').toISOString(),
      to: new Date('2026-11-23T00:00').toISOString(),
    };
    await waitFor(() => expect(gateway.askedFor('GET', PATH).at(-1)?.query).toMatchObject(asked));
    expect(window.location.search).toContain('trackId=sale');
    await user.click(within(screen.getByRole('group', { name: 'Filters' })).getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(window.location.search).toBe('?trackId=sale'));
  });
});
