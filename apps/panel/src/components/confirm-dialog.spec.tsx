import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/api-error';
import { show } from '../testing/show';
import { ConfirmDialog } from './confirm-dialog';

function Page(props: { onConfirm: () => Promise<unknown>; typed?: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Delete</button>
      <ConfirmDialog
        isOpen={isOpen}
        title="Delete this tracker?"
        confirmLabel="Delete it"
        keepLabel="Keep it"
        onClose={() => setOpen(false)}
        {...props}
      >
        Its numbers go too.
      </ConfirmDialog>
    </>
  );
}

describe('a question before something that cannot be undone', () => {
  it('does nothing when the answer is to keep it', async () => {
    const onConfirm = jest.fn(() => Promise.resolve());
    const { user } = show(<Page onConfirm={onConfirm} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(screen.getByRole('dialog', { name: 'Delete this tracker?' }).textContent).toContain('Its numbers go too.');
    await user.click(screen.getByRole('button', { name: 'Keep it' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('does it when the answer is yes, and closes', async () => {
    const onConfirm = jest.fn(() => Promise.resolve());
    const { user } = show(<Page onConfirm={onConfirm} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(screen.getByRole('button', { name: 'Delete it' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  it('stays open and says why when it could not be done', async () => {
    const { user } = show(<Page onConfirm={() => Promise.reject(new ApiError('The set is being imported', 409))} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(screen.getByRole('button', { name: 'Delete it' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The set is being imported');
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  it('waits for the name where it has to be typed, also against Enter', async () => {
    const onConfirm = jest.fn(() => Promise.resolve());
    const { user } = show(<Page onConfirm={onConfirm} typed="ada@shop" />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const field = screen.getByRole('textbox', { name: 'Type ada@shop to confirm' });
    await user.type(field, 'ada{Enter}');
    expect(screen.getByRole('button', { name: 'Delete it' })).toHaveProperty('disabled', true);
    expect(onConfirm).not.toHaveBeenCalled();
    await user.type(field, '@shop{Enter}');
    await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(1));
  });
});
