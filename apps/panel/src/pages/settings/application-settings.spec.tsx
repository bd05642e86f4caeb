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

  it('asks for what was typed, also if it is not allowed, and goes to the field that has the problem', async () => {
    const gateway = new FakeGateway();
    const details = [{ path: 'requestsPerSecond', message: 'must be an integer from 1 to 100000' }];
    gateway.refuse('PATCH', PATH, 400, { message: 'The request is not valid', details });
    const application = { id: 'shop', requestsPerSecond: 50, devicesPerSecond: null } as ApplicationResponse;
    const { user } = show(<LimitsForm application={application} />, { gateway });
    const field = screen.getByLabelText('API requests per second');
    await user.clear(field);
    await user.type(field, '0');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('must be an integer from 1 to 100000');
    expect(gateway.askedFor('PATCH', PATH).map(({ body }) => body)).toEqual([{ requestsPerSecond: 0 }]);
    expect(field).toHaveProperty('value', '0');
    expect(document.activeElement).toBe(field);
  });
});
