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

/** A page whose button, and with it the dialog, is gone once its work is done; `hasDialog`: the button alone. */
function Vanishing({ hasDialog }: { hasDialog: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <main id="content" tabIndex={-1}>
      {!isDone && <button onClick={() => setOpen(true)}>Stop</button>}
      {(hasDialog || !isDone) && (
        <ConfirmDialog
          isOpen={isOpen}
          title="Stop it?"
          confirmLabel="Stop sending"
          onConfirm={() => {
            setDone(true);
            return Promise.resolve();
          }}
          onClose={() => setOpen(false)}
        >
          It stops.
        </ConfirmDialog>
      )}
    </main>
  );
}

describe('a question before something that cannot be undone', () => {
  it.each([
    ['the button that asked', true],
    ['the button that asked and the question itself', false],
  ])('leaves the focus in the page if the answer removes %s', async (_, hasDialog) => {
    const { user } = show(<Vanishing hasDialog={hasDialog} />);
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await user.click(await screen.findByRole('button', { name: 'Stop sending' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement?.id).toBe('content'));
  });

  it('leaves everything as it is when Enter is pressed without looking', async () => {
    const onConfirm = jest.fn(() => Promise.resolve());
    const { user } = show(<Page onConfirm={onConfirm} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep it' })));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onConfirm).not.toHaveBeenCalled();
  });

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
