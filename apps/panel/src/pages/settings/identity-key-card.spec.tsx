import { screen, waitFor } from '@testing-library/react';
import type { ApplicationResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ApplicationSettings } from './application-settings';
import { IdentityKeyCard } from './identity-key-card';

const PATH = '/api/admin/apps/{id}';
const ROTATE = '/api/admin/apps/{id}/rotate-identity-key';
const UNTIL = '2026-05-02T10:00:00.000Z';
const application = { id: 'shop', requireUserHash: true, formerIdentityKeyValidUntil: null } as ApplicationResponse;

describe('the identity key in the settings', () => {
  it('is replaced after a warning, with the time for which the former one stays valid, and is shown once', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', ROTATE, { id: 'shop', identityKey: 'key-shown-once', formerValidUntil: UNTIL });
    gateway.answer('GET', PATH, application);
    const { user } = show(<IdentityKeyCard application={application} />, { gateway });
    await user.click(screen.getByRole('button', { name: 'Replace the key' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/cannot register, nor read their inbox/);
    expect(screen.getByRole('radio', { name: 'For a day' })).toHaveProperty('checked', true);
    await user.click(screen.getByRole('radio', { name: 'For an hour' }));
    await user.click(screen.getByRole('button', { name: 'Make a new key' }));
    await screen.findByText('key-shown-once');
    await screen.findByText(/The former key is valid until/);
    expect(gateway.askedFor('POST', ROTATE).map(({ body }) => body)).toEqual([{ formerValidSeconds: 3_600 }]);
    await user.click(screen.getByRole('button', { name: 'I have saved it' }));
    await waitFor(() => expect(screen.queryByText('key-shown-once')).toBeNull());
  });

  it('can be replaced at once, if somebody else knows it', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', ROTATE, { id: 'shop', identityKey: 'key-shown-once', formerValidUntil: null });
    const { user } = show(<IdentityKeyCard application={application} />, { gateway });
    await user.click(screen.getByRole('button', { name: 'Replace the key' }));
    await user.click(await screen.findByRole('radio', { name: 'No longer' }));
    await user.click(screen.getByRole('button', { name: 'Make a new key' }));
    await screen.findByText('The former key is no longer valid.');
    expect(gateway.askedFor('POST', ROTATE).map(({ body }) => body)).toEqual([{ formerValidSeconds: 0 }]);
  });

  it('says until when the former one is valid', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', PATH, {
      ...application,
      name: 'Shop',
      protectedAttributes: [],
      frequencyCaps: [],
      formerIdentityKeyValidUntil: UNTIL,
    });
    show(<ApplicationSettings />, { gateway });
    expect((await screen.findByText(/The former key is valid until/)).querySelector('time')?.dateTime).toBe(UNTIL);
  });
});
