import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { type MessageDraft, newMessage } from '../../model/message-draft';
import { composeOf } from '../../testing/compose';
import { FakeGateway } from '../../testing/fake-gateway';
import { show, type Shown } from '../../testing/show';
import { ComposeContext } from './compose-context';
import { ContentSection } from './content-section';
import { Preview } from './preview';

const PATH = '/api/push/preview';

function Page(props: { draft: MessageDraft; isWritten?: boolean }): ReactNode {
  const [draft, setDraft] = useState(props.draft);
  const [language, showLanguage] = useState('');
  const patch = (change: Partial<MessageDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const compose = composeOf(props.isWritten ? draft : props.draft, { patch, language, showLanguage });
  return (
    <ComposeContext value={compose}>
      {props.isWritten && <ContentSection />}
      <Preview />
    </ComposeContext>
  );
}

/** A person continues to write while the preview is shown beside it. */
function Writing({
  first,
  changes,
}: {
  first: MessageDraft;
  changes: Record<string, Partial<MessageDraft>>;
}): ReactNode {
  const [draft, setDraft] = useState(first);
  return (
    <>
      <Page draft={draft} />
      {Object.entries(changes).map(([name, change]) => (
        <button key={name} onClick={() => setDraft({ ...draft, ...change })}>
          {name}
        </button>
      ))}
    </>
  );
}

const showPreview = (change: Partial<MessageDraft>, gateway = new FakeGateway()): Shown =>
  show(<Page draft={{ ...newMessage('draft-1'), content: 'Hello {{ user.name }}', title: 'News', ...change }} />, {
    gateway,
  });

const picture = (platform = 'Android'): string =>
  screen.getByRole('group', { name: `Preview on ${platform}` }).textContent ?? '';

describe('how a message looks', () => {
  it('is shown for each kind of device, with a word on what is filled in later', async () => {
    const { user } = showPreview({
      actions: [{ key: 'a', id: 'buy', title: 'Buy now', url: '', icon: '', options: 0 }],
    });
    expect(picture()).toContain('News');
    expect(picture()).toContain('Hello {{ user.name }}');
    expect(picture()).toContain('Buy now');
    expect(screen.getByText(/is replaced for each user/)).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'iPhone' }));
    expect(picture('iPhone')).toContain('News');
  });

  it('is nothing for a silent message', () => {
    showPreview({ silent: true });
    expect(picture()).toContain('Silent: the device shows nothing');
  });

  it('is made for one user on request, with its size', async () => {
    const gateway = new FakeGateway();
    const device = {
      installationId: 'i',
      deviceType: 'ios',
      vendor: 'apns',
      warnings: ['The title is cut on a watch'],
      language: null,
    };
    gateway.answer('POST', PATH, {
      users: [
        { userId: 'ada', devices: [{ ...device, body: 'Hello Ada', title: 'News', bytes: 1_204, limit: 4_096 }] },
      ],
    });
    const { user } = showPreview({}, gateway);
    await user.type(screen.getByRole('textbox', { name: 'Preview for a user' }), ' ada {Enter}');
    const made = await screen.findByRole('status');
    expect(made.textContent).toContain('As ada gets it on iOS: 1,204 of 4,096 bytes.');
    expect(made.textContent).toContain('The title is cut on a watch');
    expect(picture()).toContain('Hello Ada');
    expect(gateway.askedFor('POST', PATH)[0]?.body).toMatchObject({ users: ['ada'], content: 'Hello {{ user.name }}' });
  });

  it('is made again for the user when the message changes, and stays when the draft is only saved', async () => {
    const gateway = new FakeGateway();
    const shown = {
      installationId: 'i',
      deviceType: 'ios',
      vendor: 'apns',
      language: null,
      warnings: [],
      title: 'News',
    };
    const answer = (body: string): void =>
      gateway.answer('POST', PATH, { users: [{ userId: 'ada', devices: [{ ...shown, body }] }] });
    answer('Hello Ada');
    const draft = { ...newMessage('draft-1'), content: 'Hello {{ user.name }}', title: 'News' };
    const changes = {
      Save: { saved: { id: 'd', revision: 1, print: 'p' } },
      Rewrite: { content: 'Bye {{ user.name }}' },
    };
    const { user } = show(<Writing first={draft} changes={changes} />, { gateway });
    await user.type(screen.getByRole('textbox', { name: 'Preview for a user' }), 'ada{Enter}');
    await screen.findByText('Hello Ada');
    expect(screen.queryByText(/is replaced for each user/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(picture()).toContain('Hello Ada');
    answer('Bye Ada');
    await user.click(screen.getByRole('button', { name: 'Rewrite' }));
    await screen.findByText('Bye Ada');
    expect(gateway.askedFor('POST', PATH).map(({ body }) => (body as { content: string }).content)).toEqual([
      'Hello {{ user.name }}',
      'Bye {{ user.name }}',
    ]);
  });

  it('shows the values of variables as they are filled in', () => {
    const variable = { name: 'percent', isRequired: true, description: '' };
    showPreview({
      title: '{{variables.percent}} % off',
      content: '{{ variables.percent }} % for {{ user.name }}, {{ variables.until }}',
      variables: [
        { ...variable, value: '45' },
        { ...variable, name: 'until', value: '' },
      ],
    });
    expect(picture()).toContain('45 % off');
    expect(picture()).toContain('45 % for {{ user.name }}, {{ variables.until }}');
  });

  it('says that a user has no device, or why they would get nothing', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, { users: [{ userId: 'ada', devices: [] }] });
    const { user } = showPreview({}, gateway);
    await user.type(screen.getByRole('textbox', { name: 'Preview for a user' }), 'ada{Enter}');
    expect((await screen.findByRole('status')).textContent).toBe('This user has no device.');
    const problem = { code: 'template_failed', message: 'The template divides by zero' };
    const device = { installationId: 'i', deviceType: 'ios', vendor: 'apns', language: null, warnings: [], problem };
    gateway.answer('POST', PATH, { users: [{ userId: 'ada', devices: [device] }] });
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(await screen.findByText('The template divides by zero')).toBeTruthy();
    expect(screen.getByText('This user would get nothing')).toBeTruthy();
  });

  it('says why it could not be made', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('POST', PATH, 400, { message: 'The template is wrong' });
    const { user } = showPreview({}, gateway);
    await user.type(screen.getByRole('textbox', { name: 'Preview for a user' }), 'ada{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('The template is wrong');
  });

  it('shows the language that is chosen, also as a user gets it', async () => {
    const gateway = new FakeGateway();
    gateway.answer('POST', PATH, ({ body }) => {
      const { language = 'fa' } = body as { language?: string };
      const device = {
        installationId: 'i-1',
        deviceType: 'android',
        vendor: 'fcm',
        title: `in ${language}`,
        warnings: [],
      };
      return {
        users: [{ userId: 'ada', devices: [{ ...device, language: language === 'default' ? null : language }] }],
      };
    });
    const texts = { alertText: '', clickUrl: '', sms: '', title: '' };
    const languages = [
      { ...texts, key: '1', tag: 'de', content: 'Hallo' },
      { ...texts, key: '2', tag: 'fa', title: 'خبر', content: 'سلام' },
    ];
    const { user } = showPreview({ content: 'Hello', languages }, gateway);
    const choice = screen.getByRole('combobox', { name: 'Language' });
    expect(picture()).toContain('Hello');
    await user.selectOptions(choice, 'fa');
    expect(picture()).toContain('خبر');
    expect(picture()).toContain('سلام');
    await user.selectOptions(choice, 'de');
    expect(picture()).toContain('News');
    expect(picture()).toContain('Hallo');
    await user.type(screen.getByRole('textbox', { name: 'Preview for a user' }), 'ada{Enter}');
    const made = (text: string): Promise<void> => waitFor(() => expect(picture()).toContain(`in ${text}`));
    await made('de');
    await user.selectOptions(choice, 'The user’s own');
    await made('fa');
    await user.selectOptions(choice, 'Default');
    await made('default');
    expect(gateway.asked.at(-1)?.body).toMatchObject({ users: ['ada'], language: 'default' });
  });

  it('is shown in the language that is being written', async () => {
    const texts = { alertText: '', clickUrl: '', sms: '', title: '' };
    const languages = [{ ...texts, key: '1', tag: 'de', content: 'Hallo' }];
    const draft = { ...newMessage('draft-1'), content: 'Hello', title: 'News', languages };
    const { user } = show(<Page draft={draft} isWritten />);
    expect(picture()).toContain('Hello');
    await user.click(screen.getByRole('tab', { name: 'de' }));
    expect(picture()).toContain('Hallo');
    await user.click(screen.getByRole('button', { name: 'Add a language' }));
    expect(picture()).toContain('Hello');
    await user.type(screen.getByRole('textbox', { name: 'Language' }), 'fr');
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Bonjour');
    expect(picture()).toContain('Bonjour');
    await user.click(screen.getByRole('tab', { name: 'Default' }));
    expect(picture()).toContain('News');
  });
});
