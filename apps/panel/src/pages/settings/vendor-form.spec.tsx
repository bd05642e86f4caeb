import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import type { VendorResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { VENDOR_PLANS } from './vendor-fields';
import { VendorForm } from './vendor-form';

const LIST = '/api/admin/apps/{id}/vendors';
const PATH = `${LIST}/{vendor}` as const;
const ACCOUNT = { project_id: 'shop', client_email: 'push@shop', private_key: 'k' };

function Page(props: { vendor: string; stored?: VendorResponse; onSaved?: () => void }): ReactNode {
  const [isOpen, setOpen] = useState(true);
  const plan = VENDOR_PLANS.find(({ vendor }) => vendor === props.vendor)!;
  return (
    <VendorForm
      plan={plan}
      stored={props.stored}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      onSaved={props.onSaved ?? (() => undefined)}
    />
  );
}

describe('the form of a vendor', () => {
  it('sends nothing that is no JSON, and says so at the field', async () => {
    const { user, gateway } = show(<Page vendor="fcm" />);
    await user.click(screen.getByRole('textbox', { name: /Service account/ }));
    await user.paste('{"project_id":');
    await user.click(screen.getByRole('button', { name: 'Store and check' }));
    expect(screen.getByText('is not JSON. Use the complete file, from { to }')).toBeTruthy();
    expect(gateway.asked).toEqual([]);
  });

  it('fills every field from a file that holds them all, stores them, and has them checked', async () => {
    const gateway = new FakeGateway();
    gateway.answer('GET', LIST, []);
    gateway.answer('PUT', PATH, {} as never);
    const onSaved = jest.fn();
    const { user } = show(<Page vendor="fcm" onSaved={onSaved} />, { gateway });
    await user.click(screen.getByRole('textbox', { name: /Service account/ }));
    await user.paste(JSON.stringify({ fcm: { serviceAccount: ACCOUNT, endpoint: 'https://127.0.0.1:3443' } }));
    expect(screen.getByRole('textbox', { name: /Other address/ })).toHaveProperty('value', 'https://127.0.0.1:3443');
    await user.click(screen.getByRole('button', { name: 'Store and check' }));
    await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('The credentials of Firebase (FCM) are stored')).toBeTruthy();
    const body = { serviceAccount: ACCOUNT, endpoint: 'https://127.0.0.1:3443' };
    expect(gateway.askedFor('PUT', PATH).map((asked) => [asked.path, asked.body])).toEqual([
      ['/api/admin/apps/shop/vendors/fcm', body],
    ]);
  });

  it('shows what is wrong inside a field at that field, and keeps what was typed', async () => {
    const gateway = new FakeGateway();
    const details = [{ path: 'serviceAccount.private_key', message: 'must be a key in PEM' }];
    gateway.answer('GET', LIST, []);
    gateway.refuse('PUT', PATH, 400, { message: 'Bad fields', details });
    const { user } = show(<Page vendor="fcm" />, { gateway });
    await user.click(screen.getByRole('textbox', { name: /Service account/ }));
    await user.paste(JSON.stringify(ACCOUNT));
    await user.click(screen.getByRole('button', { name: 'Store and check' }));
    expect(await screen.findByText('private_key must be a key in PEM')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('Correct the marked fields and try again.');
    expect(screen.getByRole('textbox', { name: /Service account/ })).toHaveProperty('value', JSON.stringify(ACCOUNT));
  });

  it('reads a chosen file, and reads it again when it is chosen again', async () => {
    const { user } = show(<Page vendor="fcm" />);
    const field = document.querySelector<HTMLInputElement>('input[type=file]');
    if (field === null) throw new Error('There is no field for a file');
    const account = new File([JSON.stringify(ACCOUNT)], 'account.json', { type: 'application/json' });
    const box = screen.getByRole('textbox', { name: /Service account/ });
    for (let time = 1; time <= 2; time++) {
      await user.upload(field, account);
      await waitFor(() => expect(box).toHaveProperty('value', JSON.stringify(ACCOUNT)));
      await user.clear(box);
    }
  });

  it('says at the field that a chosen file cannot be read, and takes another one', async () => {
    const { user } = show(<Page vendor="fcm" />);
    const field = document.querySelector<HTMLInputElement>('input[type=file]');
    if (field === null) throw new Error('There is no field for a file');
    const gone = new File([''], 'account.json', { type: 'application/json' });
    gone.text = () => Promise.reject(new DOMException('The file is gone', 'NotReadableError'));
    const box = screen.getByRole('textbox', { name: /Service account/ });
    await user.upload(field, gone);
    await screen.findByText(/cannot be read/);
    expect(box.getAttribute('aria-invalid')).toBe('true');
    await user.upload(field, new File(['{}'], 'account.json', { type: 'application/json' }));
    await waitFor(() => expect(box).toHaveProperty('value', '{}'));
    expect(screen.queryByText(/cannot be read/)).toBeNull();
  });

  it('asks for a stored secret anew, and shows the rest of what is stored', () => {
    const stored = { vendor: 'hms', appId: '103', clientSecret: 'never shown' } as VendorResponse;
    show(<Page vendor="hms" stored={stored} />);
    expect(screen.getByRole('dialog', { name: 'Change Huawei (HMS)' })).toBeTruthy();
    expect(screen.getByDisplayValue('103')).toBeTruthy();
    expect(screen.queryByDisplayValue('never shown')).toBeNull();
  });

  it('replaces what somebody else has stored meanwhile only after it has said so', async () => {
    const at = (second: number): VendorResponse => ({
      vendor: 'hms',
      appId: '103',
      updatedAt: `2026-05-01T10:00:0${second}.000Z`,
    });
    const gateway = new FakeGateway();
    gateway.answer('GET', LIST, [at(2)]);
    gateway.answer('PUT', PATH, at(3));
    const onSaved = jest.fn();
    const { user } = show(<Page vendor="hms" stored={at(1)} onSaved={onSaved} />, { gateway });
    await user.type(screen.getByLabelText(/secret/i, { selector: 'input' }), 'word');
    const store = screen.getByRole('button', { name: 'Store and check' });
    await user.click(store);
    await screen.findByText(/Somebody else has stored other credentials meanwhile/);
    expect(gateway.askedFor('PUT', PATH)).toEqual([]);
    gateway.answer('GET', LIST, []);
    await user.click(store);
    await screen.findByText(/Somebody else has disconnected it meanwhile/);
    expect(gateway.askedFor('PUT', PATH)).toEqual([]);
    await user.click(store);
    await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1));
    expect(gateway.askedFor('PUT', PATH)).toHaveLength(1);
  });

  it('asks of an SMS provider what that one needs', async () => {
    const { user } = show(<Page vendor="sms" />);
    await user.click(screen.getByRole('combobox', { name: /Provider/ }));
    await user.click(screen.getByRole('option', { name: /Kavenegar/ }));
    expect(screen.getByLabelText(/API key/)).toBeTruthy();
    expect(screen.queryByLabelText(/Account SID/)).toBeNull();
  });
});
