import { screen, waitFor } from '@testing-library/react';
import { MessageList } from '../pages/messages/messages-page';
import { FakeGateway } from '../testing/fake-gateway';
import { show, type Shown } from '../testing/show';

const PATH = '/api/push/messages';

/** Shows the list of messages, which is empty. */
function showMessages(at: string): Shown {
  const gateway = new FakeGateway();
  gateway.answer('GET', PATH, { messages: [], nextCursor: null });
  return show(<MessageList />, { gateway, at });
}

describe('the search of a list', () => {
  it('puts what is searched for into the address, and asks for exactly that', async () => {
    const { user, gateway } = showMessages('/messages');
    await screen.findByRole('heading', { name: 'No message yet' });
    await user.type(screen.getByRole('textbox', { name: 'User' }), '  a%20b {Enter}');
    expect(await screen.findByRole('heading', { name: 'No message matches' })).toBeTruthy();
    expect(new URLSearchParams(window.location.search).get('userId')).toBe('a%20b');
    expect(gateway.askedFor('GET', PATH).at(-1)?.query).toMatchObject({ userId: 'a%20b' });
  });

  it('searches by another field once it is chosen', async () => {
    const { user, gateway } = showMessages('/messages');
    await screen.findByRole('heading', { name: 'No message yet' });
    await user.click(screen.getByRole('combobox', { name: 'Search by' }));
    await user.click(screen.getByRole('option', { name: 'Track id' }));
    await user.type(screen.getByRole('textbox', { name: 'Track id' }), 'spring');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(gateway.askedFor('GET', PATH).at(-1)?.query).toMatchObject({ trackId: 'spring' }));
    expect(window.location.search).toBe('?trackId=spring');
  });

  it('is there again when its address is opened, and shows everything again when it is cleared', async () => {
    const { user, gateway } = showMessages('/messages?clientId=till-4');
    expect(screen.getByRole('textbox', { name: 'Client id' })).toHaveProperty('value', 'till-4');
    await screen.findByRole('heading', { name: 'No message matches' });
    expect(gateway.askedFor('GET', PATH)[0]?.query).toMatchObject({ clientId: 'till-4' });
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(await screen.findByRole('heading', { name: 'No message yet' })).toBeTruthy();
    expect(window.location.search).toBe('');
    expect(screen.getByRole('textbox', { name: 'User' })).toHaveProperty('value', '');
  });
});
