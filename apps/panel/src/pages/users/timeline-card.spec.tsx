import { screen, within } from '@testing-library/react';
import type { UserDeliveryResponse, UserResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { TimelineCard } from './timeline-card';

const AT = '2026-11-23T10:00:00.000Z';

describe('what was sent to a user', () => {
  it('names the device of each row, because a message has one row for each of them', async () => {
    const gateway = new FakeGateway();
    const to = (installationId: string): UserDeliveryResponse => ({
      ...{ messageId: 'm-1', installationId, isCampaign: true, state: 'shown', vendor: 'fcm', error: null },
      ...{ reason: null, language: null, variant: null, createdAt: AT },
      content: { content: 'Hello' } as UserDeliveryResponse['content'],
    });
    gateway.answer('GET', '/api/users/{userId}/deliveries', {
      ...{ deliveries: ['i-1', 'i-2', 'i-3'].map(to), nextCursor: null },
    });
    const devices = [
      { id: 'i-1', deviceType: 'ios', deviceModel: 'iPhone 15', osVersion: '18.0', clientVersion: '2.4.0' },
      { id: 'i-2', deviceType: 'web', osVersion: null, clientVersion: null },
    ] as unknown as UserResponse['devices'];
    show(<TimelineCard userId="ada" devices={devices} />, { gateway });
    const table = await screen.findByRole('table', { name: 'Sent to this user' });
    const [, ...rows] = within(table).getAllByRole('row');
    expect(rows.map((row) => within(row).getByRole('link').textContent)).toEqual([
      ...['HelloiPhone 15 18.0 · app 2.4.0', 'HelloWeb', 'Helloi-3'],
    ]);
  });
});
