import type { PanelSession } from '@postrider/contracts';
import { act, render, screen, waitFor } from '@testing-library/react';
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';
import { FakeGateway } from '../testing/fake-gateway';
import { Panel } from './panel';

const OPERATOR: PanelSession = { kind: 'operator', appId: null, scopes: ['server'], mayReadDocs: false };
const READER: PanelSession = {
  kind: 'application',
  appId: 'shop',
  tokenId: 'reader',
  scopes: ['tags'],
  mayReadDocs: false,
};
const UNAUTHORIZED = { code: 'UNAUTHORIZED', message: 'This call needs a valid token' };
const SENDER: PanelSession = { ...READER, tokenId: 'sender', scopes: ['send', 'read'] };
const TOKENS: Record<string, PanelSession> = { admin: OPERATOR, reader: READER, sender: SENDER };

/** The operator is signed in, and a page of the panel is on the screen. */
async function showPanel(at: string): Promise<{ user: UserEvent; gateway: FakeGateway }> {
  const gateway = new FakeGateway();
  gateway.install();
  gateway.answerWith('GET', '/panel/session', () => Response.json(OPERATOR));
  gateway.answerWith('POST', '/panel/session', ({ body }) => Response.json(TOKENS[(body as { token: string }).token]));
  gateway.answerWith('DELETE', '/panel/session', () => Response.json({}));
  gateway.answer('GET', '/api/admin/apps', []);
  window.history.replaceState(null, '', at);
  render(<Panel />);
  await screen.findByRole('navigation', { hidden: true });
  return { user: userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never }), gateway };
}

/** The operator is about to make an application: the list of applications is on the screen, and the dialog open. */
async function makeApplication(): Promise<{ user: UserEvent; gateway: FakeGateway }> {
  const shown = await showPanel('/panel/applications');
  await shown.user.click(await screen.findByRole('button', { name: 'New application' }));
  await shown.user.type(await screen.findByLabelText(/^Name/), 'The Shop');
  return shown;
}

/** The application is made, and its keys are shown, when the session ends. */
async function endWithKeysShown(): Promise<{ user: UserEvent; gateway: FakeGateway }> {
  const { user, gateway } = await makeApplication();
  gateway.answer('POST', '/api/admin/apps', {
    id: 'the-shop',
    name: 'The Shop',
    tokens: { server: 'server-token', client: 'client-token' },
    identityKey: 'key-shown-once',
  });
  gateway.refuse('GET', '/api/admin/apps', 401, UNAUTHORIZED);
  gateway.refuse('GET', '/panel/session', 401, UNAUTHORIZED);
  await user.click(screen.getByRole('button', { name: 'Create application' }));
  await screen.findByRole('heading', { name: 'Sign in' });
  await waitFor(() => screen.getByText('key-shown-once'));
  gateway.answer('GET', '/api/admin/apps', []);
  return { user, gateway };
}

async function signIn(user: UserEvent, token: string): Promise<void> {
  await user.type(screen.getByLabelText('Token'), token);
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Sign in' })).toBeNull());
}

describe('a session that ends by itself', () => {
  it('leaves the text of an open dialog to the person who signs in again', async () => {
    const { user, gateway } = await makeApplication();
    gateway.refuse('POST', '/api/admin/apps', 401, UNAUTHORIZED);
    await user.click(screen.getByRole('button', { name: 'Create application' }));
    await screen.findByRole('heading', { name: 'Sign in' });
    await signIn(user, 'admin');
    screen.getByRole('dialog', { name: 'New application' });
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('The Shop');
  });

  it('hides keys that are shown once, and shows them again to the same operator', async () => {
    const { user } = await endWithKeysShown();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(isDisplayed(screen.getByText('key-shown-once'))).toBe(false);
    expect(screen.queryByRole('button', { name: /Copy/ })).toBeNull();
    await signIn(user, 'admin');
    expect(isDisplayed(screen.getByText('key-shown-once'))).toBe(true);
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    await waitFor(() => expect(window.location.pathname).toBe('/panel/apps/the-shop/settings/vendors'));
  });

  it('asks for nothing, and hears no key, until somebody signs in', async () => {
    const { user, gateway } = await endWithKeysShown();
    const asked = gateway.asked.length;
    await user.keyboard('{Escape}');
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    expect(gateway.asked.slice(asked).filter(({ path }) => path !== '/panel/session')).toEqual([]);
    await signIn(user, 'admin');
    screen.getByText('key-shown-once');
  });

  it('lets a form be sent again that was under way', async () => {
    const { user, gateway } = await makeApplication();
    let fail = (): void => undefined;
    gateway.answer('POST', '/api/admin/apps', () => new Promise((_, reject) => (fail = () => reject(new Error()))));
    await user.click(screen.getByRole('button', { name: 'Create application' }));
    gateway.refuse('GET', '/panel/session', 401, UNAUTHORIZED);
    await comeBack();
    screen.getByRole('heading', { name: 'Sign in' });
    act(() => fail());
    await signIn(user, 'admin');
    await user.click(await screen.findByRole('button', { name: 'Create application' }));
    await waitFor(() => expect(gateway.askedFor('POST', '/api/admin/apps')).toHaveLength(2));
  });

  it('goes on as soon as the same person has signed in in another tab', async () => {
    const { gateway } = await endWithKeysShown();
    gateway.answerWith('GET', '/panel/session', () => Response.json(OPERATOR));
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Sign in' })).toBeNull());
    expect(isDisplayed(screen.getByText('key-shown-once'))).toBe(true);
  });

  it('is noticed when a message that is being written cannot be saved', async () => {
    const { user, gateway } = await showPanel('/panel/apps/shop/compose');
    gateway.refuse('POST', '/api/drafts', 401, UNAUTHORIZED);
    await user.type(await screen.findByRole('textbox', { name: 'Text' }), 'Hello');
    await screen.findByRole('heading', { name: 'Sign in' });
    await signIn(user, 'admin');
    const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    expect(text.value).toBe('Hello');
    await waitFor(() => expect(document.activeElement).toBe(text));
  });

  it('leaves nothing to the holder of another token', async () => {
    const { user } = await endWithKeysShown();
    await signIn(user, 'reader');
    await screen.findByRole('heading', { level: 1, name: 'This token cannot open any page' });
    expect(screen.queryByText('key-shown-once')).toBeNull();
  });
});

it('the panel leaves nothing behind the sign-in page when a person signs out', async () => {
  const { user } = await makeApplication();
  await user.click(screen.getByRole('button', { name: 'Sign out', hidden: true }));
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(screen.queryByLabelText(/^Name/)).toBeNull();
  expect(screen.queryByText('Your session has ended', { exact: false })).toBeNull();
});

it('the panel keeps nothing that was written when a person signs out', async () => {
  const { user, gateway } = await showPanel('/panel/apps/shop/compose');
  gateway.refuse('POST', '/api/drafts', 503, { code: 'UNAVAILABLE', message: 'Not now' });
  await user.type(await screen.findByRole('textbox', { name: 'Text' }), 'Hello');
  await user.click(screen.getByRole('button', { name: 'Sign out', hidden: true }));
  await screen.findByRole('heading', { name: 'Sign in' });
  await waitFor(() => expect(JSON.stringify(sessionStorage)).not.toContain('Hello'));
  await signIn(user, 'admin');
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })).value).toBe('');
});

it('the panel shows nothing that was written to the holder of another token', async () => {
  const { user, gateway } = await showPanel('/panel/apps/shop/compose');
  gateway.refuse('POST', '/api/drafts', 401, UNAUTHORIZED);
  await user.type(await screen.findByRole('textbox', { name: 'Text' }), 'Hello');
  await screen.findByRole('heading', { name: 'Sign in' });
  await signIn(user, 'sender');
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })).value).toBe('');
});

it('the panel goes back to the field of the token when the token is wrong', async () => {
  const gateway = new FakeGateway();
  gateway.install();
  gateway.refuse('GET', '/panel/session', 401, UNAUTHORIZED);
  gateway.refuse('POST', '/panel/session', 401, UNAUTHORIZED);
  window.history.replaceState(null, '', '/panel');
  render(<Panel />);
  await screen.findByRole('heading', { name: 'Sign in' });
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.type(screen.getByLabelText('Token'), 'wrong');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByText('This token is not valid');
  expect(document.activeElement).toBe(screen.getByLabelText('Token'));
});

it('the panel says that it is loading before it knows who is signed in', async () => {
  const gateway = new FakeGateway();
  gateway.install();
  gateway.refuse('GET', '/panel/session', 401, UNAUTHORIZED);
  window.history.replaceState(null, '', '/panel');
  render(<Panel />);
  expect(screen.getByRole('progressbar', { name: 'Loading' })).toBeTruthy();
  await screen.findByRole('heading', { name: 'Sign in' });
});

it('the panel stays as it is while the session cannot be read', async () => {
  const { gateway } = await makeApplication();
  gateway.refuse('GET', '/panel/session', 503, { message: 'The gateway is stopping' });
  await comeBack();
  expect(gateway.asked.filter(({ path }) => path === '/panel/session')).toHaveLength(3);
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('The Shop');
});

/** The person comes back to the window after minutes: the session is read again, and read once more if that fails. */
async function comeBack(): Promise<void> {
  jest.useFakeTimers({ now: Date.now() + 120_000 });
  try {
    await act(async () => {
      window.dispatchEvent(new Event('visibilitychange'));
      await jest.advanceTimersByTimeAsync(10_000);
    });
  } finally {
    jest.useRealTimers();
  }
}

/** Whether neither the element nor anything around it is hidden. */
function isDisplayed(element: HTMLElement): boolean {
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
    if (getComputedStyle(at).display === 'none') return false;
  }
  return true;
}

describe('an address of the panel that is none of its pages', () => {
  it('is said to be none, with a way to the applications', async () => {
    const { user } = await showPanel('/panel/compaigns');
    await screen.findByText('There is no such page');
    await user.click(screen.getByRole('link', { name: 'See all applications' }));
    await waitFor(() => expect(window.location.pathname).toBe('/panel/applications'));
  });

  it('is said to be none in an application too, with a way to its first page', async () => {
    const { user } = await showPanel('/panel/apps/shop/compaigns');
    await screen.findByText('There is no such page');
    await user.click(screen.getByRole('link', { name: 'See the application' }));
    await waitFor(() => expect(window.location.pathname).toBe('/panel/apps/shop/overview'));
  });

  it('is not meant by the address of the panel itself, and of an application', async () => {
    localStorage.clear();
    await showPanel('/panel/');
    await waitFor(() => expect(window.location.pathname).toBe('/panel/applications'));
    act(() => window.history.replaceState(null, '', '/panel/apps/shop/'));
    await waitFor(() => expect(window.location.pathname).toBe('/panel/apps/shop/overview'));
    expect(screen.queryByText('There is no such page')).toBeNull();
  });
});
