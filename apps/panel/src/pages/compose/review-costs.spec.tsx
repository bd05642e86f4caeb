import { cleanup } from '@testing-library/react';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { type MessageDraft, newMessage } from '../../model/message-draft';
import { ComposeContext, type Compose } from './compose-context';
import { Costs } from './review-costs';

describe('what the fallback of a message may cost', () => {
  function said(content: string, changes: Partial<MessageDraft> = {}): string | null {
    const empty = newMessage('');
    const draft: MessageDraft = {
      ...empty,
      audience: { ...empty.audience, kind: 'users', users: 'ada\nben' },
      fallback: { ...empty.fallback, isOn: true, content },
      ...changes,
    };
    const compose = { draft, fileUsers: null } as unknown as Compose;
    cleanup();
    show(
      <ComposeContext value={compose}>
        <div id="costs">
          <Costs />
        </div>
      </ComposeContext>,
      { gateway: new FakeGateway() },
    );
    return document.getElementById('costs')?.textContent ?? null;
  }
  const MOST = 'At most 2 SMS: one for each user whose devices do not confirm the message within 60 seconds.';
  const language = { key: 'k', tag: 'fa', title: '', content: '', alertText: '', clickUrl: '', sms: '' };

  it.each([
    ['Tea is ready', `${MOST} Each is sent in one part.`],
    ['a'.repeat(161), `${MOST} Each is sent in 2 parts, which are charged one by one: at most 4 parts.`],
    [
      '{{ user.name }}',
      `${MOST} The text is personal, and a long one is sent in several parts, which are charged one by one.`,
    ],
  ])('says in how many parts %j is sent', (content, words) => {
    expect(said(content)).toBe(words);
  });

  it('counts the longest of its languages', () => {
    const words = 'Each is sent in up to 2 parts, which are charged one by one: at most 4 parts.';
    expect(said('Tea', { languages: [{ ...language, sms: 'چ'.repeat(71) }] })).toBe(`${MOST} ${words}`);
    expect(said('Tea', { languages: [{ ...language, sms: '{{ user.name }}' }] })).toContain('The text is personal');
    expect(said('Tea', { languages: [language] })).toContain('Each is sent in one part.');
  });
});
