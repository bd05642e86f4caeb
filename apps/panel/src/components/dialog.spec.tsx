import { TextInput } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { show } from '../testing/show';
import { Dialog } from './dialog';

function Page(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <main id="content" tabIndex={-1}>
      <button onClick={() => setOpen(true)}>New token</button>
      <Dialog isOpen={isOpen} title="New token" onClose={() => setOpen(false)}>
        <TextInput label="Name" data-autofocus />
      </Dialog>
    </main>
  );
}

/** What is beside a dialog, over the page. */
function beside(): Element {
  const overlay = document.querySelector('.mantine-Modal-overlay');
  if (overlay === null) throw new Error('There is no dialog');
  return overlay;
}

describe('a click beside a dialog', () => {
  it('closes it while nothing is entered', async () => {
    const { user } = show(<Page />);
    await user.click(screen.getByRole('button', { name: 'New token' }));
    await screen.findByRole('dialog');
    await user.click(beside());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps what is entered, which Escape discards', async () => {
    const { user } = show(<Page />);
    const open = (): Promise<void> => user.click(screen.getByRole('button', { name: 'New token' }));
    await open();
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Backend');
    await user.click(beside());
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Backend');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await open();
    await screen.findByRole('dialog');
    await user.click(beside());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
