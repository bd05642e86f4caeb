import { act, screen, waitFor } from '@testing-library/react';
import { FakeGateway } from '../testing/fake-gateway';
import { show, type Shown } from '../testing/show';
import { Shell } from './shell';

describe('the menu of a phone', () => {
  /** Opens the menu beside a page with one field. */
  async function open(): Promise<Shown['user']> {
    const { user } = show(
      <Shell appId={null}>
        <input aria-label="Field" />
      </Shell>,
      { gateway: new FakeGateway() },
    );
    await user.click(screen.getByRole('button', { name: 'Open the menu', hidden: true }));
    screen.getByRole('button', { name: 'Close the menu', hidden: true });
    return user;
  }

  it('is closed by Escape, and the focus returns to its button', async () => {
    const user = await open();
    await user.tab();
    await user.keyboard('{Escape}');
    const button = await screen.findByRole('button', { name: 'Open the menu', hidden: true });
    expect(document.activeElement).toBe(button);
  });

  it('stays when Escape closes the list of applications in it', async () => {
    const user = await open();
    const list = document.createElement('div');
    list.setAttribute('role', 'menu');
    list.tabIndex = -1;
    document.body.append(list);
    act(() => list.focus());
    await user.keyboard('{Escape}');
    list.remove();
    screen.getByRole('button', { name: 'Close the menu', hidden: true });
  });

  it('is closed when the focus moves on into the page that it covers', async () => {
    await open();
    act(() => screen.getByLabelText('Field').focus());
    await waitFor(() => screen.getByRole('button', { name: 'Open the menu', hidden: true }));
    expect(document.activeElement).toBe(screen.getByLabelText('Field'));
  });
});
