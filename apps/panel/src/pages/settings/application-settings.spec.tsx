import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { ApplicationResponse } from '@postrider/server/document';
import { useAdminRead } from '../../api/reading';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ApplicationSettings, LimitsForm } from './application-settings';
import { ApplicationsPage } from './applications-page';
import { SharedSettings } from './testing/shared-settings';

const PATH = '/api/admin/apps/{id}';

describe('the form of the limits', () => {
  it('saves the limit that was changed, and leaves the other one to whoever changed it meanwhile', async () => {
    const gateway = new FakeGateway();
    gateway.answer('PATCH', PATH, {} as never);
    const application = { id: 'shop', requestsPerSecond: 50, devicesPerSecond: 2_000 } as ApplicationResponse;
    gateway.answer('GET', PATH, application);
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
    gateway.answer('GET', PATH, application);
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

  function Page(): ReactNode {
    const { data } = useAdminRead(PATH, { params: { path: { id: 'shop' } } });
    return data && <LimitsForm application={data} />;
  }

  it('asks before it saves over a limit that another operator saved meanwhile, and saves what the reader keeps', async () => {
    const shared = new SharedSettings({ requestsPerSecond: 50, devicesPerSecond: null });
    const { user } = show(<Page />, { gateway: shared.gateway });
    const field = await screen.findByLabelText('API requests per second');
    await user.clear(field);
    await user.type(field, '70');
    shared.saveBeforeNextChange({ requestsPerSecond: 60, devicesPerSecond: 900 });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/Theirs are: 60 API requests per second\./);
    expect(shared.settings.requestsPerSecond).toBe(60);
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The limits are saved');
    expect(shared.settings).toMatchObject({ requestsPerSecond: 70, devicesPerSecond: 900 });
  });
});

describe('an application that is being deleted', () => {
  const removalBeganAt = new Date().toISOString();
  const application = { id: 'shop', name: 'Shop', createdAt: '2026-01-02T03:04:05Z', removalBeganAt };

  it('says so in place of its settings, none of which can be changed any more', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, application as ApplicationResponse);
    show(<ApplicationSettings />, { gateway });
    await screen.findByText('This application is being deleted');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says so in the list of applications', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', '/api/admin/apps', [application as ApplicationResponse]);
    show(<ApplicationsPage />, { gateway });
    expect((await screen.findByText(/deletion began/)).textContent).toMatch(/^shop · deletion began/);
  });
});
