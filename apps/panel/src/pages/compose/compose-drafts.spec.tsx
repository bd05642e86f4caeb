import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route } from 'wouter';
import type { DraftResponse } from '@postrider/server/document';
import type { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ComposePage } from './compose-page';
import { ComposedPage, DRAFT, DRAFTS, form, review, saved, SEND } from './testing/composed-page';

describe('a draft on the compose page', () => {
  let page: ComposedPage;
  let gateway: FakeGateway;

  beforeEach(() => {
    page = new ComposedPage();
    ({ gateway } = page);
  });

  it('saves what is written, once nobody types, and says so', async () => {
    await page.write();
    await screen.findByText(/^Saved \d+ s ago$/);
    const [first] = gateway.askedFor('POST', DRAFTS);
    expect(first?.body).toMatchObject({ name: 'Hello', message: { content: 'Hello', audience: { kind: 'everyone' } } });
    expect((first?.body as { message: object }).message).not.toHaveProperty('draftId');
  });

  it('is saved by itself when the browser is on line again', async () => {
    gateway.answerWith('POST', DRAFTS, () => {
      throw new TypeError('Failed to fetch');
    });
    await page.write();
    await screen.findByText(/^It could not be saved/);
    gateway.answer('POST', DRAFTS, ({ body }) => saved(1, (body as DraftResponse).message));
    act(() => void window.dispatchEvent(new Event('online')));
    await screen.findByText(/^Saved \d+ s ago$/);
  });

  it('names the draft in its address, so that a reload and a link come back to it', async () => {
    const user = await page.write();
    await screen.findByText(/^Saved \d+ s ago$/);
    await waitFor(() => expect(window.location.search).toBe('?draft=d-1'));
    expect(gateway.askedFor('GET', DRAFT)).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    await waitFor(() => expect(window.location.search).toBe(''));
    expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', '');
    gateway.answer('GET', DRAFT, saved(3, form('Theirs')));
    cleanup();
    show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', 'Theirs'));
    expect(window.location.search).toBe('?draft=d-1');
  });

  it('that was sent is not what the way back leads to: there is an empty message', async () => {
    gateway.answer('GET', DRAFT, saved(1, { ...form('Mine'), audience: { kind: 'everyone' } }));
    const { user } = show(<Route path="/compose" component={ComposePage} />, { gateway, at: '/compose?draft=d-1' });
    gateway.answerWith('POST', SEND, ({ query }) =>
      Response.json(
        { count: 3, byVendor: { fcm: 3 }, sample: [] },
        query.dryRun === 'true' ? {} : { headers: { 'x-message-id': 'm-1' } },
      ),
    );
    const dialog = await review(user);
    await user.click(await within(dialog).findByRole('button', { name: /Send to 3/ }));
    await waitFor(() => expect(window.location.pathname).toBe('/campaigns/m-1'));
    gateway.refuse('GET', DRAFT, 404, { message: 'There is no such draft' });
    act(() => window.history.back());
    await waitFor(() => expect(window.location.pathname).toBe('/compose'));
    expect(await screen.findByRole('textbox', { name: /^Text/ })).toHaveProperty('value', '');
    expect(window.location.search).toBe('');
  });

  it('keeps words that were not saved yet when it is loaded again, and takes what somebody else saved where there are none', async () => {
    gateway.answer('GET', DRAFT, saved(1, form('First')));
    const again = async (text: string): Promise<void> => {
      cleanup();
      show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
      await waitFor(() => expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', text));
    };
    await again('First');
    gateway.answer('GET', DRAFT, saved(2, form('Second')));
    await again('Second');
    gateway.refuse('PUT', DRAFT, 503, { message: 'Not now' });
    await userEvent.type(screen.getByRole('textbox', { name: /^Text/ }), '!');
    gateway.answer('GET', DRAFT, saved(3, form('Third')));
    await again('Second!');
  });

  it('saves what was typed last when the page is left, and knows it when it is opened again', async () => {
    gateway.answer('GET', DRAFT, saved(1, form('First')));
    const at = '/compose?draft=d-1';
    show(<ComposePage />, { gateway, at });
    await userEvent.type(await screen.findByRole('textbox', { name: /^Text/ }), '!');
    cleanup();
    await waitFor(() => expect(gateway.askedFor('PUT', DRAFT)).toHaveLength(1));
    expect(gateway.askedFor('PUT', DRAFT)[0]?.body).toMatchObject({ message: { content: 'First!' }, revision: 1 });
    gateway.answer('GET', DRAFT, saved(2, form('First!')));
    show(<ComposePage />, { gateway, at });
    await userEvent.type(await screen.findByRole('textbox', { name: /^Text/ }), '?');
    cleanup();
    await waitFor(() => expect(gateway.askedFor('PUT', DRAFT)).toHaveLength(2));
    expect(gateway.askedFor('PUT', DRAFT)[1]?.body).toMatchObject({ message: { content: 'First!?' }, revision: 2 });
  });

  describe('when another message is begun in the tab', () => {
    const text = (): HTMLElement => screen.getByRole('textbox', { name: /^Text/ });

    async function leaveUnsaved(): Promise<void> {
      gateway.answer('GET', DRAFT, saved(1, form('Mine')));
      show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
      await userEvent.type(await screen.findByRole('textbox', { name: /^Text/ }), '!');
      cleanup();
      await waitFor(() => expect(gateway.askedFor('PUT', DRAFT)).toHaveLength(1));
    }

    it('keeps what was written over a draft that somebody else has saved as a draft of its own, and says so', async () => {
      const error = { message: 'Saved since', code: 'EDIT_CONFLICT', current: saved(7, form('Theirs')) };
      gateway.answerWith('PUT', DRAFT, () => Response.json({ error }, { status: 409 }));
      await leaveUnsaved();
      show(<ComposePage />, { gateway, at: '/compose?new=1' });
      await screen.findByText('What you wrote is kept as the draft “Mine! (my version)”.');
      expect(gateway.askedFor('POST', DRAFTS)[0]?.body).toMatchObject({ message: { content: 'Mine!' } });
      expect(text()).toHaveProperty('value', '');
    });

    it('asks what becomes of words that cannot be saved', async () => {
      gateway.refuse('PUT', DRAFT, 503, { message: 'Not now' });
      await leaveUnsaved();
      const { user } = show(<ComposePage />, { gateway, at: '/compose?new=1' });
      await screen.findByText('A message that was written in this tab could not be saved');
      await user.click(screen.getByRole('button', { name: 'Go on with it' }));
      expect(text()).toHaveProperty('value', 'Mine!');
    });
  });

  it('takes no save of its own for that of somebody else', async () => {
    gateway.answer('GET', DRAFT, saved(1, form('Mine')));
    // The first save arrived, its answer did not.
    gateway.answerWith('PUT', DRAFT, ({ body }) => {
      const current = saved(2, (body as DraftResponse).message);
      return Response.json({ error: { message: 'Saved since', code: 'EDIT_CONFLICT', current } }, { status: 409 });
    });
    const { user } = show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    await user.type(await screen.findByRole('textbox', { name: /^Text/ }), '!');
    await screen.findByText(/^Saved \d+ s ago$/);
  });

  it('stops saving when somebody else has saved the draft, and keeps what was written', async () => {
    const theirs = saved(7, form('Theirs'));
    gateway.answer('GET', DRAFT, saved(1, form('Mine')));
    gateway.answerWith('PUT', DRAFT, () =>
      Response.json({ error: { message: 'Saved since', code: 'EDIT_CONFLICT', current: theirs } }, { status: 409 }),
    );
    const { user } = show(
      <main id="content" tabIndex={-1}>
        <ComposePage />
      </main>,
      { gateway, at: '/compose?draft=d-1' },
    );
    const text = await screen.findByRole('textbox', { name: /^Text/ });
    await waitFor(() => expect(text).toHaveProperty('value', 'Mine'));
    await user.type(text, ' and more');
    await screen.findByText('Somebody else has saved this draft');
    expect(text).toHaveProperty('value', 'Mine and more');
    await user.click(screen.getByRole('button', { name: 'Keep mine as a new draft' }));
    await waitFor(() => expect(gateway.askedFor('POST', DRAFTS)).toHaveLength(1));
    expect(gateway.askedFor('POST', DRAFTS)[0]?.body).toMatchObject({
      ...{ name: 'Mine and more (my version)', message: { content: 'Mine and more' } },
    });
    // The button is gone: a person who works with the keyboard continues in the page.
    expect(document.activeElement?.id).toBe('content');
  });

  it('asks what to keep when a send of an unchanged draft finds that somebody else has saved it', async () => {
    gateway.answer('GET', DRAFT, saved(1, { ...form('Mine'), audience: { kind: 'everyone' } }));
    const { user } = show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    const text = await screen.findByRole('textbox', { name: /^Text/ });
    await waitFor(() => expect(text).toHaveProperty('value', 'Mine'));
    const dialog = await review(user);
    const refusal = { message: 'Saved since', code: 'EDIT_CONFLICT', current: saved(7, form('Theirs')) };
    gateway.answerWith('POST', SEND, () => Response.json({ error: refusal }, { status: 409 }));
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await screen.findByText('Somebody else has saved this draft');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard my changes' }));
    await screen.findByDisplayValue('Theirs');
  });

  it('sends nothing of a draft that somebody else has saved, before it is decided what to keep', async () => {
    gateway.answer('GET', DRAFT, saved(1, { ...form('Mine'), audience: { kind: 'everyone' } }));
    const theirs = saved(7, form('Theirs'));
    const { user } = show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    const text = await screen.findByRole('textbox', { name: /^Text/ });
    await waitFor(() => expect(text).toHaveProperty('value', 'Mine'));
    gateway.answerWith('PUT', DRAFT, () =>
      Response.json({ error: { message: 'Saved since', code: 'EDIT_CONFLICT', current: theirs } }, { status: 409 }),
    );
    await user.type(text, ' and more');
    await screen.findByText('Somebody else has saved this draft');
    await user.click(await screen.findByRole('button', { name: /Review and send to 3/ }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('alert', { name: 'Somebody else has saved this draft' }));
    await user.click(screen.getByRole('button', { name: 'Keep mine as a new draft' }));
    await waitFor(() => expect(gateway.askedFor('POST', DRAFTS)).toHaveLength(1));
    await user.click(within(await review(user)).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(page.sends()[0]?.body).toMatchObject({ content: 'Mine and more' }));
  });

  it('says so when somebody else has sent the draft meanwhile, and does not make another one of it', async () => {
    gateway.answer('GET', DRAFT, saved(1, { ...form('Mine'), audience: { kind: 'everyone' } }));
    gateway.refuse('PUT', DRAFT, 404, { message: 'There is no such draft' });
    const { user } = show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    await user.type(await screen.findByRole('textbox', { name: /^Text/ }), '!');
    await screen.findByText('This draft was sent or deleted');
    await user.click(await screen.findByRole('button', { name: /Review and send to 3/ }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(page.sends()).toHaveLength(0);
    expect(gateway.askedFor('POST', DRAFTS)).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Discard my changes' }));
    expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', '');
  });

  it('takes the other draft when asked to', async () => {
    gateway.answer('GET', DRAFT, saved(1, form('Mine')));
    const theirs = saved(7, form('Theirs'));
    gateway.answerWith('PUT', DRAFT, () =>
      Response.json({ error: { message: 'Saved since', code: 'EDIT_CONFLICT', current: theirs } }, { status: 409 }),
    );
    const { user } = show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    await user.type(await screen.findByRole('textbox', { name: /^Text/ }), '!');
    await user.click(await screen.findByRole('button', { name: 'Discard my changes' }));
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', 'Theirs'));
  });
});
