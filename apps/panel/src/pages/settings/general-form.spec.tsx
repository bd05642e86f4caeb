import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { ApplicationResponse } from '@postrider/server/document';
import { useAdminRead } from '../../api/reading';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { GeneralForm } from './general-form';
import { SharedSettings } from './testing/shared-settings';

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

  /** Both operators change the name: the other one to `Store`, between the reading and the change of the reader. */
  async function renameToo(): Promise<Shown & { shared: SharedSettings }> {
    const shared = new SharedSettings(shop);
    const shown = show(<Page />, { gateway: shared.gateway });
    await shown.user.type(await screen.findByRole('textbox', { name: /^Name/ }), 's');
    shared.saveBeforeNextChange({ name: 'Store', promoExhausted: 'skip' });
    await shown.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/Theirs are: the name “Store”\./);
    expect(shared.settings.name).toBe('Store');
    return { ...shown, shared };
  }

  it('asks before it saves over what another operator saved meanwhile, and saves what the reader keeps', async () => {
    const { user, shared } = await renameToo();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings are saved');
    expect(shared.settings).toMatchObject({ name: 'Shops', promoExhausted: 'skip' });
  });

  it('shows what the other operator saved when the reader discards their own changes', async () => {
    const { user } = await renameToo();
    await user.click(screen.getByRole('button', { name: 'Discard my changes' }));
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'Store');
    expect(screen.queryByText(/Theirs are/)).toBeNull();
  });

  it('keeps the protected attributes of both, also if the other operator saves between the reading and the change', async () => {
    const shared = new SharedSettings(shop);
    const { user } = show(<Page />, { gateway: shared.gateway });
    const field = await screen.findByLabelText(/^Protected/, { selector: 'input:not([type=hidden])' });
    await user.type(field, 'email{Enter}');
    shared.saveBeforeNextChange({ protectedAttributes: ['phone', 'city'] });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings are saved');
    expect(shared.settings.protectedAttributes).toEqual(['phone', 'city', 'email']);
  });
});
