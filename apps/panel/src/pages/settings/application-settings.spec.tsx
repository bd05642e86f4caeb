import { screen } from '@testing-library/react';
import type { ApplicationResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { LimitsForm } from './application-settings';

const PATH = '/api/admin/apps/{id}';

describe('the form of the limits', () => {
  it('saves the limit that was changed, and leaves the other one to whoever changed it meanwhile', async () => {
    const gateway = new FakeGateway();
    gateway.answer('PATCH', PATH, {} as never);
    const application = { id: 'shop', requestsPerSecond: 50, devicesPerSecond: 2_000 } as ApplicationResponse;
    const { user } = show(<LimitsForm application={application} />, { gateway });
    await user.clear(screen.getByLabelText('Devices per second'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The limits are saved');
    expect(gateway.askedFor('PATCH', PATH).map(({ body }) => body)).toEqual([{ devicesPerSecond: null }]);
  });
});
