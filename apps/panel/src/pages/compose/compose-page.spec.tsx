import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ComposePage } from './compose-page';
import { AT, ComposedPage, device, findRendering, isDryRun, review, SEND } from './testing/composed-page';

describe('the compose page', () => {
  let page: ComposedPage;
  let gateway: FakeGateway;

  beforeEach(() => {
    page = new ComposedPage();
    ({ gateway } = page);
  });

  it('shows who gets it and what they see before anything is sent, and Enter alone does not send', async () => {
    const user = await page.write();
    const dialog = await review(user);
    await findRendering(dialog, 'Android of ada');
    await findRendering(dialog, 'iOS of ada');
    expect(within(dialog).getByText('At once.')).not.toBeNull();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(page.sends()).toHaveLength(0);
  });

  it('says in its review how many users it does not name', async () => {
    const user = await page.write();
    await user.click(screen.getByText('Users'));
    await user.click(screen.getByRole('textbox', { name: 'User ids' }));
    await user.paste(Array.from({ length: 10 }, (_, n) => `u${n + 1}`).join('\n'));
    const { textContent } = within(await review(user)).getByRole('region', { name: 'Who gets it' });
    expect(textContent).toContain('u1, u2, u3, u4, u5, u6, u7, u8 and 2 more users');
  });

  it('shows the message in its review on recipients alone, not on other devices of their users', async () => {
    gateway.answer('POST', SEND, {
      ...{ count: 3, byVendor: { fcm: 3 }, schedule: [], frequencyCaps: [] },
      sample: [{ installationId: 'android', userId: 'ada', vendor: 'fcm' as const }],
    });
    const dialog = await review(await page.write());
    await findRendering(dialog, 'Android of ada');
    expect(within(dialog).queryByText('iOS')).toBeNull();
  });

  it('shows the text of the fallback SMS as one user gets it, and why it could not be sent', async () => {
    const problem = { code: 'too_long', message: 'The SMS is longer than 10 parts' };
    gateway.answer('POST', '/api/push/preview', {
      users: [
        { userId: 'ada', devices: [device('android', 'Hello Ada')] },
        { userId: 'ben', devices: [], sms: { text: `Dear Ben, tea is ready${'!'.repeat(140)}`, problem } },
        { userId: 'eve', devices: [], sms: { text: 'Dear Eve, tea is ready' } },
      ],
    } as never);
    const dialog = await review(await page.write());
    await findRendering(dialog, 'SMS to ben in 2 parts, if no device confirms the message');
    const sms = within(dialog)
      .getByText(/^Dear Ben, tea is ready!+$/)
      .closest('li');
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
    const dialog = await review(await page.write());
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
    const user = await page.write();
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
      const dialog = await review(await page.write());
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
    const user = await page.write();
    const words = /^2 devices wait for Huawei \(HMS\)/;
    await screen.findByText(words);
    within(await review(user)).getByText(words);
  });

  it('says in its summary that the time of a message is over, instead of when it is sent', async () => {
    const user = await page.write();
    await user.click(await screen.findByRole('radio', { name: 'At a time' }));
    fireEvent.change(screen.getByLabelText('Day and time'), { target: { value: '2020-01-01T10:00' } });
    const summary = screen.getByRole('region', { name: 'Summary' });
    expect(await within(summary).findByText(/^This time is in the past: Jan 1, 2020, 10:00\sAM\.$/)).toBeTruthy();
    expect(within(summary).queryByText(/It is sent on/)).toBeNull();
  });

  it('sends with the number that was seen, and removes the draft with the send', async () => {
    const user = await page.write();
    const dialog = await review(user);
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(page.sends()).toHaveLength(1));
    expect(page.sends()[0]?.body).toMatchObject({
      user: '*',
      content: 'Hello',
      expectedCount: 3,
      draftId: 'd-1',
      draftRevision: 1,
    });
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Text/ })).toHaveProperty('value', ''));
  });

  it('asks again in the dialog when the audience has changed, and sends nothing until then', async () => {
    const user = await page.write();
    const dialog = await review(user);
    page.devices = 5;
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
    await waitFor(() => expect(page.sends()).toHaveLength(2));
    expect(page.sends()[1]?.body).toMatchObject({ expectedCount: 5 });
  });

  it.each([
    ['no answer comes', () => Response.error(), 'The gateway could not be reached'],
    [
      'a server between answers',
      () => new Response('<html>', { status: 502 }),
      'The gateway, or a server before it, answered with status 502',
    ],
    [
      'an earlier try is at work',
      () => Response.json({ error: { message: 'A request with …', code: 'CONFLICT' } }, { status: 409 }),
      'An earlier try is still at work',
    ],
  ])('does not say that the message was not sent when %s, and another try sends it', async (_, answer, why) => {
    const user = await page.write();
    const dialog = await review(user);
    let isFirst = true;
    gateway.answerWith('POST', SEND, (asked) => {
      if (isDryRun(asked) || !isFirst) return Response.json({ count: 3, byVendor: {}, sample: [] });
      isFirst = false;
      const answered = answer();
      if (answered.type === 'error') throw new TypeError('Failed to fetch');
      return answered;
    });
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    const { textContent } = await within(dialog).findByRole('alert');
    expect(textContent).toContain('It is not known whether the message was sent');
    expect(textContent).toContain(`${why}. Send it again in a moment`);
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(page.sends()).toHaveLength(2);
  });

  it('says what is wrong with the message as a whole, and of no field that it is marked', async () => {
    const details = [{ path: '', message: 'is too big for fcm: 5000 bytes, the limit is 4096 bytes' }];
    gateway.refuse('POST', SEND, 400, { message: 'The message is too big', details });
    await page.write();
    await screen.findByText('The message is too big for fcm: 5000 bytes, the limit is 4096 bytes');
    expect(screen.queryByText('Correct the marked fields and try again.')).toBeNull();
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
    await waitFor(() => expect(page.sends()[0]?.body).toMatchObject({ templateId: 't-1', variables: { order: '17' } }));
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
    await waitFor(() => expect(page.sends()).not.toHaveLength(0));
    for (const { body, query } of page.sends().slice(-1)) {
      expect(query.dryRun).toBeUndefined();
      expect(body).toMatchObject({ content: 'Sale' });
      expect(body).not.toHaveProperty('templateId');
    }
  });

  it('says that frequency caps are ignored, and sends so', async () => {
    const user = await page.write();
    await user.click(screen.getByRole('switch', { name: /^Ignore frequency caps/ }));
    const dialog = await review(user);
    expect(dialog.textContent).toContain('Frequency caps are ignored');
    await user.click(within(dialog).getByRole('button', { name: 'Send to 3' }));
    await waitFor(() => expect(page.sends()[0]?.body).toMatchObject({ ignoreFrequencyCap: true }));
  });
});
