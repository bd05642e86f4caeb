import { screen } from '@testing-library/react';
import type { OverviewResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { OverviewPage } from './overview-page';

const AT = '2026-11-23T10:00:00.000Z';

describe('the overview', () => {
  const overview = {
    at: AT,
    sends: { asOf: AT, since: AT, messages: 3, campaigns: 2, devices: 12_000, delivered: 6_000, opened: 600 },
    ...{ skips: null, devices: null, online: null, attention: [], throughput: { spanSeconds: 10, points: [] } },
    steps: { hasVendor: true, hasDevice: true, hasMessage: true },
  } as OverviewResponse;

  it('says which time its figures of today are of, and what their rates are of', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/push/overview', overview);
    gateway.answer('GET', '/api/push/messages', { messages: [], nextCursor: null });
    gateway.answer('GET', '/api/push/campaigns', { campaigns: [], nextCursor: null });
    show(<OverviewPage />, { gateway });
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    screen.getByText(`“Today” is what left since 00:00 (${timeZone}). A device counts once for each message.`);
    await screen.findByText('50 % of 12K devices');
    screen.getByText('5.0 % of 12K devices');
    // The figures begin at the midnight of which the page speaks.
    const since = new Date(gateway.askedFor('GET', '/api/push/overview')[0]?.query['since'] ?? '');
    expect([since.getHours(), since.getMinutes()]).toEqual([0, 0]);
  });
});
