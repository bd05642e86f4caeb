import { screen, waitFor, within } from '@testing-library/react';
import type { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ComposePage } from './compose-page';
import { ComposedPage, device, findRendering, review, SEND } from './testing/composed-page';

describe('a message with languages or variants, on the compose page', () => {
  let page: ComposedPage;
  let gateway: FakeGateway;

  beforeEach(() => {
    page = new ComposedPage();
    ({ gateway } = page);
  });

  it('has a tab for each language, which the review shows and the send carries', async () => {
    gateway.answer('POST', '/api/push/preview', ({ body }) => {
      const { language } = body as { language: string };
      return { users: [{ userId: 'ada', devices: [{ ...device('android', `In ${language}`), language }] }] };
    });
    const user = await page.write();
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
    await waitFor(() => expect(page.sends()).toHaveLength(1));
    expect(page.sends()[0]?.body).toMatchObject({ content: 'Hello', localized: { fa: { content: 'سلام' } } });
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
    const user = await page.write();
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
    page.devices = 1_000;
    gateway.answer('POST', '/api/push/preview', ({ body }) => {
      const { variant } = body as { variant: string };
      return { users: [{ userId: 'ada', devices: [device('android', `Variant ${variant}`)] }] };
    });
    const user = await page.write();
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
    expect(screen.getByRole('group', { name: 'Preview on Android' }).textContent).toContain('Hurry');
    await user.click(section.getByRole('tab', { name: 'B' }));
    expect(screen.getByRole('group', { name: 'Preview on Android' }).textContent).toContain('Hello');
    await user.click(section.getByRole('button', { name: 'Remove this variant' }));
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Add a/));
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
    await waitFor(() => expect(page.sends()).toHaveLength(1));
    expect(page.sends()[0]?.body).toMatchObject({
      content: 'Hello',
      variants: [
        { name: 'A', weight: 1 },
        { name: 'urgent', weight: 2, content: 'Hurry' },
      ],
      winner: { metric: 'opened', after: 14_400, share: 30 },
    });
  });

  it('marks the tab of a variant that is unfinished, and leads to it', async () => {
    const user = await page.write();
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
    const user = await page.write();
    const section = within(screen.getByRole('region', { name: 'A/B test' }));
    await user.click(section.getByRole('button', { name: 'Add variants' }));
    await user.type(section.getByRole('textbox', { name: /^Text$/ }), '{{{{ x');
    await section.findByRole('tab', { name: 'B (unfinished)' });
    expect(section.getByText('Is no template')).not.toBeNull();
  });

  it('says whose words a language of the message has no longer, and gives the variant its own', async () => {
    const user = await page.write();
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
});
