import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DevicePreviewResponse, DraftResponse } from '@postrider/server/document';
import { newMessage } from '../../model/message-draft';
import { type Asked, FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { ComposePage } from './compose-page';

const AT = '2026-11-23T10:00:00.000Z';
const DRAFTS = '/api/drafts';
const DRAFT = '/api/drafts/{id}';
const SEND = '/api/push/toUsers';

const isDryRun = ({ query }: Asked): boolean => query.dryRun === 'true';

describe('the compose page', () => {
  let gateway: FakeGateway;
  let devices: number;

  beforeEach(() => {
    sessionStorage.clear();
    gateway = new FakeGateway();
    devices = 3;
    gateway.answer('GET', '/api/templates', { templates: [], nextCursor: null });
    gateway.answer('GET', '/api/promo/sets', { sets: [], nextCursor: null });
    gateway.answer('POST', DRAFTS, ({ body }) => saved(1, (body as DraftResponse).message));
    gateway.answer('PUT', DRAFT, ({ body }) => saved((body as DraftResponse).revision + 1));
    gateway.answer('POST', '/api/push/preview', {
      users: [{ userId: 'ada', devices: [device('android', 'Hello Ada'), device('ios', 'Hello Ada')] }],
    });
    gateway.answer('POST', SEND, () => ({
      count: devices,
      byVendor: { fcm: devices },
      sample: ['android', 'ios'].map((installationId) => ({ installationId, userId: 'ada', vendor: 'fcm' as const })),
    }));
  });

  const saved = (revision: number, message: DraftResponse['message'] = {}): DraftResponse => ({
    id: 'd-1',
    name: 'x',
    revision,
    createdAt: AT,
    updatedAt: AT,
    updatedBy: 'Grace',
    message,
  });
  const form = (content: string): DraftResponse['message'] =>
    JSON.parse(JSON.stringify({ ...newMessage(''), content })) as DraftResponse['message'];
  const device = (deviceType: string, content: string): DevicePreviewResponse => ({
    installationId: deviceType,
    deviceType,
    vendor: 'fcm',
    content,
    body: content,
    title: 'Shop',
    language: null,
    warnings: [],
  });
  const sends = (): Asked[] => gateway.askedFor('POST', SEND).filter((asked) => !isDryRun(asked));

  async function write(at = '/compose'): Promise<Shown['user']> {
    const { user } = show(<ComposePage />, { gateway, at });
    await user.click(await screen.findByText('Everyone'));
    await user.click(screen.getByRole('textbox', { name: /^Text/ }));
    // The whole page is made anew at every key.
    await user.paste('Hello');
    return user;
  }

  /** The line over a rendering of the review: a platform, and whose device it is. */
  const findRendering = (dialog: HTMLElement, name: string): Promise<HTMLElement> =>
    within(dialog).findByText((_, element) => element?.tagName === 'DIV' && element.textContent === name);

  async function review(user: Shown['user']): Promise<HTMLElement> {
    await user.click(await screen.findByRole('button', { name: /Review and send to 3/ }));
    return screen.findByRole('dialog', { name: 'Review before sending' });
  }

  it('saves what is written, once nobody types, and says so', async () => {
    await write();
    await screen.findByText(/^Saved \d+ s ago$/);
    const [first] = gateway.askedFor('POST', DRAFTS);
    expect(first?.body).toMatchObject({ name: 'Hello', message: { content: 'Hello', audience: { kind: 'everyone' } } });
    expect((first?.body as { message: object }).message).not.toHaveProperty('draftId');
  });

  it('names the draft in its address, so that a reload and a link come back to it', async () => {
    const user = await write();
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
    await waitFor(() => expect(sends()[0]?.body).toMatchObject({ content: 'Mine and more' }));
  });

  it('says so when somebody else has sent the draft meanwhile, and does not make another one of it', async () => {
    gateway.answer('GET', DRAFT, saved(1, { ...form('Mine'), audience: { kind: 'everyone' } }));
    gateway.refuse('PUT', DRAFT, 404, { message: 'There is no such draft' });
    const { user } = show(<ComposePage />, { gateway, at: '/compose?draft=d-1' });
    await user.type(await screen.findByRole('textbox', { name: /^Text/ }), '!');
    await screen.findByText('This draft was sent or deleted');
    await user.click(await screen.findByRole('button', { name: /Review and send to 3/ }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sends()).toHaveLength(0);
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

  it('shows who gets it and what they see before anything is sent, and Enter alone does not send', async () => {
    const user = await write();
    const dialog = await review(user);
    await findRendering(dialog, 'Android of ada');
    await findRendering(dialog, 'iOS of ada');
    expect(within(dialog).getByText('At once.')).not.toBeNull();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sends()).toHaveLength(0);
  });

  it('shows the message in its review on recipients alone, not on other devices of their users', async () => {
    gateway.answer('POST', SEND, {
      ...{ count: 3, byVendor: { fcm: 3 }, schedule: [], frequencyCaps: [] },
      sample: [{ installationId: 'android', userId: 'ada', vendor: 'fcm' as const }],
    });
    const dialog = await review(await write());
    await findRendering(dialog, 'Android of ada');
    expect(within(dialog).queryByText('iOS')).toBeNull();
  });

  it('shows the text of the fallback SMS as one user gets it, and why it could not be sent', async () => {
    const problem = { code: 'too_long', message: 'The SMS is longer than 10 parts' };
    gateway.answer('POST', '/api/push/preview', {
      users: [
        { userId: 'ada', devices: [device('android', 'Hello Ada')] },
        { userId: 'ben', devices: [], sms: { text: 'Dear Ben, tea is ready', problem } },
        { userId: 'eve', devices: [], sms: { text: 'Dear Eve, tea is ready' } },
      ],
    } as never);
    const dialog = await review(await write());
    await findRendering(dialog, 'SMS to ben, if no device confirms the message');
    const sms = within(dialog).getByText('Dear Ben, tea is ready').closest('li');
    expect(sms?.textContent).toContain('The SMS is longer than 10 parts');
    // One is enough to read.
    expect(within(dialog).queryByText('Dear Eve, tea is ready')).toBeNull();
  });

  it('warns of words that never have a value, and shows each device as what it is', async () => {
    gateway.answer('POST', SEND, {
      ...{ count: 3, byVendor: { fcm: 3 }, schedule: [], frequencyCaps: [] },
      sample: [{ installationId: 'android', userId: 'ada', vendor: 'fcm' as const }],
      warnings: [
        { path: 'content', message: 'reads precent, which never has a value' },
        { path: 'localized.fa.notification.title', message: 'reads nam, which never has a value' },
      ],
    });
    const dialog = await review(await write());
    await within(dialog).findByText('Text reads precent, which never has a value');
    expect(within(dialog).getByText('Title (fa) reads nam, which never has a value')).not.toBeNull();
    await findRendering(dialog, 'Android of ada');
    expect(within(dialog).queryByRole('radiogroup', { name: 'Preview as' })).toBeNull();
  });

  it('says how many devices wait for quiet hours, and that frequency caps leave users out of the number', async () => {
    const [firstAt, lastAt] = ['2026-11-24T20:00:00.000Z', '2026-11-25T02:00:00.000Z'];
    gateway.answer('POST', SEND, {
      ...{ count: 3, byVendor: { fcm: 3 }, sample: [] },
      schedule: [{ firstAt, lastAt, waiting: 2, tooLate: 1 }],
      frequencyCaps: [{ messages: 1, seconds: 86_400 }],
    });
    const user = await write();
    const { textContent } = await review(user);
    expect(textContent).toContain('When the quiet hours end.2 devices wait until the quiet hours end.');
    expect(textContent).toContain('1 device gets nothing: the quiet hours last longer there');
    expect(textContent).toContain('Users who have had 1 campaign in 1 day are left out when it leaves.');
  });

  it('speaks of quiet hours only where they change something', async () => {
    const at = '2026-11-24T20:00:00.000Z';
    const leaves = async (answer: object): Promise<string> => {
      cleanup();
      sessionStorage.clear();
      gateway.answer('POST', SEND, { ...{ count: 3, byVendor: { fcm: 3 }, sample: [] }, ...answer });
      const dialog = await review(await write());
      return within(dialog).getByRole('region', { name: 'When it leaves' }).textContent ?? '';
    };
    expect(await leaves({})).toBe('When it leavesAt once.');
    expect(await leaves({ schedule: [{ firstAt: at, lastAt: at, waiting: 2, tooLate: 0 }] })).not.toMatch(/in force/);
    expect(await leaves({ schedule: [{ firstAt: at, lastAt: at, waiting: 0, tooLate: 0 }] })).toMatch(
      /No device has to wait until quiet hours end\.$/,
    );
  });

  it('says in its summary and its review which devices wait for vendors that are not connected', async () => {
    gateway.answer('POST', SEND, {
      ...{ count: 3, byVendor: { fcm: 3 }, sample: [] },
      waitingForVendors: [{ vendor: 'hms', devices: 2 }],
    });
    const user = await write();
    const words = /^2 devices wait for Huawei \(HMS\)/;
    await screen.findByText(words);
    within(await review(user)).getByText(words);
  });

  it('sends with the number that was seen, and removes the draft with the send', async () => {
    const user = await write();
    const dialog = await review(user);
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(sends()).toHaveLength(1));
    expect(sends()[0]?.body).toMatchObject({
      user: '*',
      content: 'Hello',
      expectedCount: 3,
      draftId: 'd-1',
      draftRevision: 1,
    });
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', ''));
  });

  it('has a tab for each language, which the review shows and the send carries', async () => {
    gateway.answer('POST', '/api/push/preview', ({ body }) => {
      const { language } = body as { language: string };
      return { users: [{ userId: 'ada', devices: [{ ...device('android', `In ${language}`), language }] }] };
    });
    const user = await write();
    await user.click(screen.getByRole('button', { name: 'Add a language' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Language/ }));
    await user.keyboard('fa');
    await user.type(screen.getByRole('textbox', { name: /^Text/ }), 'سلام');
    await user.click(screen.getByRole('tab', { name: 'Default' }));
    expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', 'Hello');
    expect(screen.getByRole('tab', { name: 'fa' })).not.toBeNull();
    const dialog = await review(user);
    expect(await within(within(dialog).getByRole('region', { name: 'In fa' })).findByText('In fa')).not.toBeNull();
    await within(within(dialog).getByRole('region', { name: 'In default' })).findByText('In default');
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(sends()).toHaveLength(1));
    expect(sends()[0]?.body).toMatchObject({ content: 'Hello', localized: { fa: { content: 'سلام' } } });
  });

  it('shows each language in its review for a user who gets it, with the number of its devices', async () => {
    gateway.answer('POST', '/api/push/preview', ({ body }) => {
      const { language, users } = body as { language: string; users: string[] };
      return { users: users.map((userId) => ({ userId, devices: [device('android', `In ${language}`)] })) };
    });
    const sampleOf = (userId: string): { installationId: string; userId: string; vendor: 'fcm' }[] => [
      { installationId: 'android', userId, vendor: 'fcm' },
    ];
    gateway.answer('POST', SEND, {
      ...{ count: 3, byVendor: { fcm: 3 }, sample: sampleOf('ada') },
      byLanguage: [
        { language: null, count: 2, sample: sampleOf('ada') },
        { language: 'fa', count: 1, sample: sampleOf('omid') },
        { language: 'fr', count: 0, sample: [] },
      ],
    });
    const user = await write();
    for (const [tag, text] of [
      ['fa', 'سلام'],
      ['fr', 'Salut'],
    ] as const) {
      await user.click(screen.getByRole('button', { name: 'Add a language' }));
      await user.keyboard(tag);
      await user.type(screen.getByRole('textbox', { name: /^Text/ }), text);
    }
    const dialog = await review(user);
    const section = (name: string): HTMLElement => within(dialog).getByRole('region', { name });
    await findRendering(section('In fa'), 'Android of omid');
    expect(section('In fa').textContent).toContain('fa: 1 device of the audience gets it');
    await findRendering(section('In default'), 'Android of ada');
    expect(section('In default').textContent).toContain('Default: 2 devices of the audience get it');
    expect(section('In fr').textContent).toContain('nobody of the audience gets it now');
    expect(section('In fr').textContent).toContain('Salut');
  });

  it('tests variants: each with what is different, its rendering and its devices, and how the winner is chosen', async () => {
    devices = 1_000;
    gateway.answer('POST', '/api/push/preview', ({ body }) => {
      const { variant } = body as { variant: string };
      return { users: [{ userId: 'ada', devices: [device('android', `Variant ${variant}`)] }] };
    });
    const user = await write();
    const section = within(screen.getByRole('region', { name: 'A/B test' }));
    await user.click(section.getByRole('button', { name: 'Add variants' }));
    expect(document.activeElement).toBe(section.getByRole('textbox', { name: /^Name/ }));
    await user.click(section.getByRole('button', { name: 'Add a variant' }));
    const name = section.getByRole('textbox', { name: /^Name/ });
    expect(document.activeElement).toBe(name);
    expect(name).toHaveProperty('value', 'C');
    await user.clear(name);
    await user.type(name, 'urgent');
    const weight = section.getByRole('textbox', { name: /^Weight/ });
    await user.clear(weight);
    await user.type(weight, '2');
    const text = section.getByRole('textbox', { name: 'Text' });
    expect(text).toHaveProperty('placeholder', 'Hello');
    await user.type(text, 'Hurry');
    expect(screen.getByRole('img', { name: 'Preview on android' }).textContent).toContain('Hurry');
    await user.click(section.getByRole('tab', { name: 'B' }));
    expect(screen.getByRole('img', { name: 'Preview on android' }).textContent).toContain('Hello');
    await user.click(section.getByRole('button', { name: 'Remove this variant' }));
    await user.click(section.getByRole('radio', { name: 'Automatically' }));
    const share = section.getByRole('textbox', { name: /^Users who get variants first/ });
    await user.clear(share);
    await user.type(share, '30');
    await user.click(await screen.findByRole('button', { name: /Review and send to 1,000/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Review before sending' }));
    const plain = within(dialog.getByRole('region', { name: 'Variant A' }));
    await plain.findByText('Variant A');
    expect(plain.getByText(/about 100 devices, 10 % of the audience/)).not.toBeNull();
    const urgent = within(dialog.getByRole('region', { name: 'Variant urgent' }));
    await urgent.findByText('Variant urgent');
    expect(urgent.getByText(/about 200 devices, 20 % of the audience/)).not.toBeNull();
    expect(dialog.getByText(/About 700 devices \(70 %\) wait/).textContent).toContain('After 4 hours');
    await user.click(dialog.getByRole('button', { name: 'Send to 1,000' }));
    await waitFor(() => expect(sends()).toHaveLength(1));
    expect(sends()[0]?.body).toMatchObject({
      content: 'Hello',
      variants: [
        { name: 'A', weight: 1 },
        { name: 'urgent', weight: 2, content: 'Hurry' },
      ],
      winner: { metric: 'opened', after: 14_400, share: 30 },
    });
  });

  it('marks the tab of a variant that is unfinished, and leads to it', async () => {
    const user = await write();
    const section = within(screen.getByRole('region', { name: 'A/B test' }));
    await user.click(section.getByRole('button', { name: 'Add variants' }));
    await user.clear(section.getByRole('textbox', { name: /^Name/ }));
    await user.click(section.getByRole('tab', { name: 'A' }));
    await user.click(screen.getByRole('button', { name: /Review and send/ }));
    const tab = await section.findByRole('tab', { name: 'Without a name (unfinished)' });
    await waitFor(() => expect(document.activeElement).toBe(tab));
    await user.click(tab);
    expect(section.getByText('Enter a name')).not.toBeNull();
  });

  it('shows what the API refuses of a variant at its field', async () => {
    gateway.answerWith('POST', SEND, () =>
      Response.json(
        { error: { message: 'Bad', details: [{ path: 'variants[1].content', message: 'is no template' }] } },
        { status: 400 },
      ),
    );
    const user = await write();
    const section = within(screen.getByRole('region', { name: 'A/B test' }));
    await user.click(section.getByRole('button', { name: 'Add variants' }));
    await user.type(section.getByRole('textbox', { name: /^Text$/ }), '{{{{ x');
    await section.findByRole('tab', { name: 'B (unfinished)' });
    expect(section.getByText('Is no template')).not.toBeNull();
  });

  it('says whose words a language of the message has no longer, and gives the variant its own', async () => {
    const user = await write();
    await user.click(screen.getByRole('button', { name: 'Add a language' }));
    await user.type(screen.getByRole('textbox', { name: /^Language/ }), 'fa');
    const section = within(screen.getByRole('region', { name: 'A/B test' }));
    await user.click(section.getByRole('button', { name: 'Add variants' }));
    await user.type(section.getByRole('textbox', { name: /^Text$/ }), 'Hurry');
    expect(section.getByText(/Devices in fa get these texts too/)).not.toBeNull();
    await user.click(section.getByRole('button', { name: 'Add fa to this variant' }));
    await user.click(section.getByRole('tab', { name: 'fa' }));
    expect(section.getByRole('textbox', { name: /^Text$/ })).toHaveProperty('placeholder', 'Hurry');
  });

  it('copies a campaign with its variants and its winner', async () => {
    const flags = { useAsAlert: true, silent: false, inApp: false, live: false, autoNotify: false };
    const variants = ['plain', 'urgent'].map((name) => ({ name, weight: 1, content: name }));
    const winner = { metric: 'clicked' as const, after: 7_200, share: 40 };
    const message = { id: 'm-1', channel: 'public/default', content: { ...flags, content: 'plain', variants, winner } };
    gateway.answer('GET', '/api/push/messages/{id}', message as never);
    show(<ComposePage />, { gateway, at: '/compose?copy=m-1' });
    const section = within(await screen.findByRole('region', { name: 'A/B test' }));
    await section.findByRole('tab', { name: 'urgent' });
    expect(section.getByRole('radio', { name: 'Automatically' })).toHaveProperty('checked', true);
    expect(section.getByRole('textbox', { name: /^Chosen after/ })).toHaveProperty('value', '2');
  });

  it('asks again in the dialog when the audience has changed, and sends nothing until then', async () => {
    const user = await write();
    const dialog = await review(user);
    devices = 5;
    let isFirst = true;
    gateway.answerWith('POST', SEND, (asked) => {
      if (isDryRun(asked) || !isFirst) return Response.json({ count: 5, byVendor: {}, sample: [] });
      isFirst = false;
      return Response.json({ error: { message: 'Changed', code: 'AUDIENCE_CHANGED', count: 5 } }, { status: 409 });
    });
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await within(dialog).findByText(/It was 3 at the last count, and is 5 now/);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Back to the message'));
    await user.click(within(dialog).getByRole('button', { name: 'Send to 5' }));
    await waitFor(() => expect(sends()).toHaveLength(2));
    expect(sends()[1]?.body).toMatchObject({ expectedCount: 5 });
  });

  it('begins with a template and asks for the values of its variables', async () => {
    gateway.answer('GET', '/api/templates/{id}', {
      id: 't-1',
      name: 'Order ready',
      description: null,
      version: 1,
      createdAt: AT,
      updatedAt: AT,
      updatedBy: 'Grace',
      message: { content: 'Order {{ variables.order }}', useAsAlert: true },
      variables: [{ name: 'order', required: true }],
      warnings: [],
    });
    const { user } = show(<ComposePage />, { gateway, at: '/compose?template=t-1' });
    await user.click(await screen.findByText('Everyone'));
    expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', 'Order {{ variables.order }}');
    await user.click(screen.getByRole('button', { name: /Review and send/ }));
    await screen.findByText('The template needs a value');
    await user.type(screen.getByRole('textbox', { name: /^order/ }), '17');
    const dialog = await review(user);
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(sends()[0]?.body).toMatchObject({ templateId: 't-1', variables: { order: '17' } }));
  });

  it('does not name a template that was deleted, once somebody says so', async () => {
    const template = {
      ...{ id: 't-1', name: 'Sale', description: null, version: 1, createdAt: AT, updatedAt: AT, updatedBy: 'Grace' },
      ...{ message: { content: 'Sale', useAsAlert: true }, variables: [], warnings: [] },
    };
    gateway.answer('GET', '/api/templates/{id}', template);
    gateway.refuse('POST', SEND, 400, {
      message: 'The request is not valid',
      details: [{ path: 'templateId', message: 'must be the id of a template' }],
    });
    const { user } = show(<ComposePage />, { gateway, at: '/compose?template=t-1' });
    await user.click(await screen.findByText('Everyone'));
    await screen.findByText(/The template was deleted/);
    gateway.answer('POST', SEND, { count: 3, byVendor: { fcm: 3 }, sample: [] });
    await user.click(screen.getByRole('button', { name: 'Forget the template' }));
    await user.click(within(await review(user)).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(sends()).not.toHaveLength(0));
    for (const { body, query } of sends().slice(-1)) {
      expect(query.dryRun).toBeUndefined();
      expect(body).toMatchObject({ content: 'Sale' });
      expect(body).not.toHaveProperty('templateId');
    }
  });

  it('says that frequency caps are ignored, and sends so', async () => {
    const user = await write();
    await user.click(screen.getByRole('switch', { name: /^Ignore frequency caps/ }));
    const dialog = await review(user);
    expect(dialog.textContent).toContain('Frequency caps are ignored');
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(sends()[0]?.body).toMatchObject({ ignoreFrequencyCap: true }));
  });
});
