import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { NewApplication } from '../pages/settings/applications-page';
import { FakeGateway } from '../testing/fake-gateway';
import { show, type Shown } from '../testing/show';

const PATH = '/api/admin/apps';
const MADE = {
  id: 'corner-shop',
  name: 'Corner Shop',
  identityKey: 'pik_3',
  tokens: { server: 'pr_server_1', client: 'pr_client_2' },
};

function Page(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>New</button>
      <NewApplication isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

async function open(gateway: FakeGateway): Promise<Shown> {
  const shown = show(<Page />, { gateway });
  await shown.user.click(screen.getByRole('button', { name: 'New' }));
  return shown;
}

describe('a dialog that makes something with secrets', () => {
  it('proposes an id for the name, which may be changed', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, MADE);
    const { user } = await open(gateway);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Corner Shop!');
    expect(screen.getByRole('textbox', { name: 'Id' })).toHaveProperty('value', 'corner-shop');
    await user.clear(screen.getByRole('textbox', { name: 'Id' }));
    await user.type(screen.getByRole('textbox', { name: 'Id' }), 'corner');
    await user.type(screen.getByRole('textbox', { name: 'Name' }), '?');
    await user.click(screen.getByRole('button', { name: 'Create application' }));
    await screen.findByText('pr_server_1');
    expect(gateway.askedFor('POST', PATH)[0]?.body).toEqual({ id: 'corner', name: 'Corner Shop!?' });
  });

  it('shows the secrets until somebody says that they have saved them, and never again', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, MADE);
    const { user } = await open(gateway);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Corner Shop{Enter}');
    for (const secret of ['pr_server_1', 'pr_client_2', 'pik_3']) expect(await screen.findByText(secret)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    expect(screen.getByRole('dialog', { name: 'Save these values now. They are shown once' })).toBeTruthy();
    expect(screen.getByText('pr_server_1')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.pathname).toBe('/apps/corner-shop/settings/vendors');
    await user.click(screen.getByRole('button', { name: 'New' }));
    expect(screen.queryByText('pr_server_1')).toBeNull();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', '');
  });

  it('has the focus at the first secret, because the form that had it is gone', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, MADE);
    const { user } = await open(gateway);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Corner Shop{Enter}');
    await screen.findByText('pr_server_1');
    const [first] = screen.getAllByRole('button', { name: /^Copy the/ });
    expect(document.activeElement).toBe(first);
  });

  it('copies a secret', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, MADE);
    const { user } = await open(gateway);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Corner Shop{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Copy the client token' }));
    expect(await navigator.clipboard.readText()).toBe('pr_client_2');
  });

  it('shows the secrets to whoever closed the form while it was on its way', async () => {
    const gateway = new FakeGateway();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    gateway.answer('POST', PATH, () => held.then(() => MADE as never));
    const { user } = await open(gateway);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Corner Shop{Enter}{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    answer();
    expect(await screen.findByText('pr_server_1')).toBeTruthy();
  });
});
