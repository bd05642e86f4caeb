import { screen, waitFor, within } from '@testing-library/react';
import type { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { ComposePage } from './compose-page';
import { ComposedPage, DRAFT, form, saved } from './testing/composed-page';

describe('starting over on the compose page', () => {
  let gateway: FakeGateway;

  beforeEach(() => {
    ({ gateway } = new ComposedPage());
    gateway.answer('GET', DRAFT, saved(1, form('Mine')));
  });

  const text = (): HTMLElement => screen.getByRole('textbox', { name: /^Text/ });
  const startOver = (): HTMLElement => screen.getByRole('button', { name: 'Start over' });

  /** Opens a draft, and writes one more letter. */
  async function write(): Promise<Shown['user']> {
    const { user } = show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    await waitFor(() => expect(text()).toHaveProperty('value', 'Mine'));
    await user.type(text(), '!');
    return user;
  }

  it('saves the words that were typed last', async () => {
    const user = await write();
    await user.click(startOver());
    await waitFor(() => expect(text()).toHaveProperty('value', ''));
    expect(gateway.askedFor('PUT', DRAFT)).toMatchObject([{ body: { message: { content: 'Mine!' } } }]);
  });

  it('asks before it discards what somebody else has saved over', async () => {
    const error = { message: 'Saved since', code: 'EDIT_CONFLICT', current: saved(7, form('Theirs')) };
    gateway.answerWith('PUT', DRAFT, () => Response.json({ error }, { status: 409 }));
    const user = await write();
    await screen.findByText('Somebody else has saved this draft');
    await user.click(startOver());
    const dialog = await screen.findByRole('dialog', { name: 'Discard what you wrote?' });
    expect(dialog.textContent).toContain('Somebody else has saved, sent or deleted this draft');
    await user.click(within(dialog).getByRole('button', { name: 'Go back' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(text()).toHaveProperty('value', 'Mine!');
    await user.click(startOver());
    await user.click(await screen.findByRole('button', { name: 'Discard and start over' }));
    await waitFor(() => expect(text()).toHaveProperty('value', ''));
    expect(screen.queryByText('Somebody else has saved this draft')).toBeNull();
  });

  it('asks before it discards what could not be saved', async () => {
    gateway.refuse('PUT', DRAFT, 503, { message: 'Not now' });
    const user = await write();
    await user.click(startOver());
    const dialog = await screen.findByRole('dialog', { name: 'Discard what you wrote?' });
    expect(dialog.textContent).toContain('It could not be saved, so it is here only.');
    expect(text()).toHaveProperty('value', 'Mine!');
  });
});
