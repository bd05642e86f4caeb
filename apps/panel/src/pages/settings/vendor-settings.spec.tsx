import { screen, waitFor, within } from '@testing-library/react';
import type { VendorHealthResponse, VendorResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { VendorSettings } from './vendor-settings';

const PATH = '/api/admin/apps/{id}/vendors';
const HMS = { vendor: 'hms', appId: '103' } as VendorResponse;

/** The vendors of an application, inside the part of the page that has the focus when nothing else does. */
function showVendors(stored: VendorResponse[], gateway = new FakeGateway()): Shown {
  gateway.answer('GET', PATH, stored);
  gateway.answer('GET', '/api/admin/apps/{id}/vendors/health', { vendors: [] });
  gateway.answer('GET', '/api/push/overview', {} as never);
  return show(
    <main id="content" tabIndex={-1}>
      <VendorSettings />
      <Overview />
    </main>,
    { gateway },
  );
}

const closed = (): Promise<void> => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('a vendor that is not connected', () => {
  it('says in a sentence what it is for', async () => {
    showVendors([]);
    const connect = await screen.findAllByRole('button', { name: /^Connect/ });
    expect(connect).toHaveLength(5);
    expect(screen.getByText('Reaches Android')).toBeTruthy();
    expect(screen.getByText('Sends the fallback SMS of messages that no device confirmed in time')).toBeTruthy();
  });
});

describe('the badge of a vendor with stored credentials', () => {
  const healthOf = (state: VendorHealthResponse['state']): VendorHealthResponse =>
    ({ vendor: 'hms', state, hasCredentials: true }) as VendorHealthResponse;

  it('says only that they are stored, until a check or a worker knows more', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', `${PATH}/{vendor}/check`, { ok: false, code: 'invalid_client' });
    const { user, readAgain } = showVendors([HMS], gateway);
    expect(await screen.findByText('stored, not checked')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Check Huawei (HMS)' }));
    expect(await screen.findByText('credentials refused')).toBeTruthy();
    gateway.answer('POST', `${PATH}/{vendor}/check`, { ok: true });
    await user.click(screen.getByRole('button', { name: 'Check Huawei (HMS)' }));
    expect(await screen.findByText('works')).toBeTruthy();
    gateway.answer('GET', '/api/admin/apps/{id}/vendors/health', { vendors: [healthOf('open')] });
    await readAgain();
    expect(await screen.findByText('not answering')).toBeTruthy();
  });

  it('says that they work when calls to the vendor succeed', async () => {
    const gateway = new FakeGateway();
    showVendors([HMS], gateway);
    gateway.answer('GET', '/api/admin/apps/{id}/vendors/health', { vendors: [healthOf('ok')] });
    expect(await screen.findByText('works')).toBeTruthy();
  });
});

describe('the focus around the form of a vendor', () => {
  it('begins at its first field, and goes back to the button that opened it', async () => {
    const { user } = showVendors([]);
    const opener = await screen.findByRole('button', { name: 'Connect Huawei (HMS)' });
    const press = (): Promise<void> => user.click(screen.getByRole('button', { name: 'Cancel' }));
    for (const close of [() => user.keyboard('{Escape}'), press]) {
      opener.focus();
      await user.keyboard('{Enter}');
      const dialog = await screen.findByRole('dialog', { name: 'Connect Huawei (HMS)' });
      await waitFor(() => expect(document.activeElement).toBe(within(dialog).getAllByRole('textbox')[0]));
      await close();
      await closed();
      await waitFor(() => expect(document.activeElement).toBe(opener));
    }
  });

  it('stays in the page when the button that opened it is gone, because the vendor is connected', async () => {
    const gateway = new FakeGateway();
    const { user } = showVendors([], gateway);
    (await screen.findByRole('button', { name: 'Connect Huawei (HMS)' })).focus();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByRole('textbox', { name: /App id/i }), '103');
    await user.type(within(dialog).getByLabelText(/secret/i, { selector: 'input' }), 'word');
    gateway.answer('PUT', `${PATH}/{vendor}`, () => {
      gateway.answer('GET', PATH, [HMS]);
      return HMS;
    });
    gateway.answer('POST', `${PATH}/{vendor}/check`, { ok: true });
    await user.keyboard('{Enter}');
    await closed();
    await screen.findByText(/accepts the credentials/);
    await waitFor(() => expect(document.getElementById('content')?.contains(document.activeElement)).toBe(true));
  });

  it('is at the button that leaves everything as it is before a vendor is disconnected', async () => {
    const { user } = showVendors([HMS]);
    const opener = await screen.findByRole('button', { name: 'Disconnect Huawei (HMS)' });
    opener.focus();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Disconnect Huawei (HMS)?' });
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' })));
    await user.keyboard('{Enter}');
    await closed();
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });
});

describe('the result of a check', () => {
  const at = (second: number): VendorResponse => ({ ...HMS, updatedAt: `2026-05-01T10:00:0${second}.000Z` });

  /** Huawei is connected, and has been checked. */
  async function showChecked(): Promise<Shown> {
    const gateway = new FakeGateway();
    gateway.answer('POST', `${PATH}/{vendor}/check`, { ok: true });
    const shown = showVendors([at(1)], gateway);
    await shown.user.click(await screen.findByRole('button', { name: 'Check Huawei (HMS)' }));
    await screen.findByText(/accepts the credentials/);
    return shown;
  }

  it('is gone when the vendor is disconnected, and so are the devices that the overview reached through it', async () => {
    const { user, gateway } = await showChecked();
    gateway.answer('DELETE', `${PATH}/{vendor}`, () => {
      gateway.answer('GET', PATH, []);
      return {};
    });
    await user.click(screen.getByRole('button', { name: 'Disconnect Huawei (HMS)' }));
    const read = gateway.askedFor('GET', '/api/push/overview').length;
    await user.click(await screen.findByRole('button', { name: 'Disconnect it' }));
    await screen.findByRole('button', { name: 'Connect Huawei (HMS)' });
    expect(screen.queryByText(/accepts the credentials/)).toBeNull();
    await waitFor(() => expect(gateway.askedFor('GET', '/api/push/overview').length).toBeGreaterThan(read));
  });

  it('is gone when somebody else has stored other credentials', async () => {
    const { gateway, readAgain } = await showChecked();
    gateway.answer('GET', PATH, [at(2)]);
    await readAgain();
    await waitFor(() => expect(screen.queryByText(/accepts the credentials/)).toBeNull());
  });

  it('is about the credentials that were stored just now', async () => {
    const { user, gateway } = await showChecked();
    gateway.answer('PUT', `${PATH}/{vendor}`, () => {
      gateway.answer('GET', PATH, [at(3)]);
      return at(3);
    });
    gateway.answer('POST', `${PATH}/{vendor}/check`, { ok: false, code: 'invalid_client' });
    await user.click(screen.getByRole('button', { name: 'Change Huawei (HMS)' }));
    await user.type(await screen.findByLabelText(/secret/i, { selector: 'input' }), 'word{Enter}');
    await screen.findByText('Huawei (HMS) refuses the credentials.');
    expect(screen.queryByText(/accepts the credentials/)).toBeNull();
  });
});

/** The overview, which a person had open before. */
function Overview(): null {
  useRead('/api/push/overview');
  return null;
}
