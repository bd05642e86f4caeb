import { screen, within } from '@testing-library/react';
import type { CampaignSummaryResponse } from '@postrider/server/document';
import { formatMoment } from '../../components/format';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { RecentSends } from './recent-sends';

const ACCEPTED = '2026-10-01T10:00:00.000Z';
const LEAVES = '2999-12-01T09:00:00.000Z';

describe('the last campaigns and messages', () => {
  it('say when each left, when a scheduled one leaves, and when a cancelled one was due', async () => {
    const campaign = (id: string, changes: Partial<CampaignSummaryResponse>): CampaignSummaryResponse =>
      ({
        ...{ id, kind: 'query', count: 1_900, trackId: id, acceptedAt: ACCEPTED, sendAt: null, startsAt: ACCEPTED },
        ...{ content: { content: id }, ...changes },
      }) as CampaignSummaryResponse;
    const scheduled = { sendAt: LEAVES, startsAt: LEAVES } as const;
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/messages', { messages: [], nextCursor: null });
    gateway.answer('GET', '/api/push/campaigns', {
      campaigns: [
        campaign('waits', { status: 'accepted', ...scheduled }),
        campaign('gone', { status: 'cancelled', ...scheduled }),
        campaign('left', { status: 'done' }),
      ],
      nextCursor: null,
    });
    show(<RecentSends />, { gateway });
    const items = await screen.findAllByRole('listitem');
    const times = items.map((item) => within(item).getByText(/^1,900 devices/).textContent);
    expect(times).toEqual(
      [`leaves ${formatMoment(LEAVES)}`, `was due ${formatMoment(LEAVES)}`, formatMoment(ACCEPTED)].map(
        (words) => `1,900 devices · ${words}`,
      ),
    );
  });
});
