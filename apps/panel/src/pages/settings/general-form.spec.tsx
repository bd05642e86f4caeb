import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { ApplicationResponse } from '@postrider/server/document';
import { useAdminRead } from '../../api/reading';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { GeneralForm } from './general-form';

const PATH = '/api/admin/apps/{id}';

const shop = {
  ...{ id: 'shop', name: 'Shop', defaultAlertText: 'News', defaultRegion: 'DE', promoExhausted: 'send_without' },
  ...{ requireUserHash: false, clientTags: 'own', protectedAttributes: ['phone'], unprovedDevices: 0 },
} as ApplicationResponse;

function Page(): ReactNode {
  const { data } = useAdminRead(PATH, { params: { path: { id: 'shop' } } });
  return data && <GeneralForm application={data} />;
}

describe('the form of the general settings', () => {
  it('changes what was changed here, and keeps what another operator changed meanwhile', async () => {
    const gateway = new FakeGateway();
    let settings = shop;
    gateway.answer('GET', PATH, () => settings);
    gateway.answer('PATCH', PATH, ({ body }) => (settings = { ...settings, ...(body as object) }));
    const { user, readAgain } = show(<Page />, { gateway });
    const proof = await screen.findByLabelText(/^Require proof/);
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 's');
    await user.clear(screen.getByRole('textbox', { name: /^Region/ }));
    settings = { ...settings, requireUserHash: true };
    await readAgain();
    await waitFor(() => expect(proof).toHaveProperty('checked', true));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings are saved');
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({ name: 'Shops', defaultRegion: null });
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'Shops');
    await user.click(proof);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(gateway.askedFor('PATCH', PATH)[1]?.body).toEqual({ requireUserHash: false }));
  });

  it('adds to the protected attributes what was added here, and leaves what another operator added meanwhile', async () => {
    const gateway = new FakeGateway();
    let settings: ApplicationResponse = { ...shop, protectedAttributes: ['phone', 'age'] };
    gateway.answer('GET', PATH, () => settings);
    gateway.answer('PATCH', PATH, ({ body }) => (settings = { ...settings, ...(body as object) }));
    const { user } = show(<Page />, { gateway });
    const field = await screen.findByLabelText(/^Protected/, { selector: 'input:not([type=hidden])' });
    await user.type(field, '{Backspace}email{Enter}');
    settings = { ...settings, protectedAttributes: ['phone', 'age', 'city'] };
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings are saved');
    expect(gateway.askedFor('PATCH', PATH).map(({ body }) => body)).toEqual([
      { protectedAttributes: ['phone', 'city', 'email'] },
    ]);
    await screen.findByText('city');
  });
});
