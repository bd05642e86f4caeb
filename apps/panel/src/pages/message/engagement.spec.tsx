import { screen } from '@testing-library/react';
import type { MessageResponse, StatsResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { Engagement } from './engagement';

describe('what people did with a message', () => {
  it('has a name of its own for each of its parts, for screen readers that list them', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/messages/{id}/stats', {
      totals: { opened: 2 },
      interval: 'hour',
      series: [],
      actions: [{ id: 'look', devices: 2 }],
      links: [{ link: 'https://shop.example', devices: 1, clicks: 3 }],
      revenue: [{ currency: 'EUR', conversions: 1, amount: 5 }],
      more: { actions: 0, links: 0, revenue: 0 },
    } as unknown as StatsResponse);
    const message = { id: 'm-1', status: 'done', totals: {} } as unknown as MessageResponse;
    show(<Engagement kind="campaigns" message={message} />, { gateway });
    await screen.findByRole('region', { name: 'Actions' });
    const names = screen.getAllByRole('region').map((region) => {
      const labels = document.getElementById(region.getAttribute('aria-labelledby') ?? '');
      return region.getAttribute('aria-label') ?? labels?.textContent;
    });
    expect(names).toHaveLength(7);
    expect(new Set(names).size).toBe(7);
  });
});
