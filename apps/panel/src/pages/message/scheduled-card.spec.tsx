import { act, screen, waitFor } from '@testing-library/react';
import type { MessageResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { type ReactNode, useState } from 'react';
import { show, type Shown } from '../../testing/show';
import { changesOf, isScheduled, scheduledForm } from '../../model/scheduled-message';
import { ScheduledCard } from './scheduled-card';

const PATH = '/api/push/messages/{id}';
const flags = { useAsAlert: true, silent: false, inApp: false, live: false, autoNotify: false };

function message(changes: object = {}): MessageResponse {
  const content = {
    ...flags,
    content: 'Old',
    notification: { title: 'Tea', clickUrl: 'shop://x', extra: { badge: 1 } },
  };
  const times = { sendAt: '2026-12-01T09:00:00.000Z', startsAt: '2026-12-01T09:00:00.000Z' };
  return {
    id: 'm-1',
    revision: 0,
    status: 'accepted',
    recipients: 0,
    localTime: false,
    content,
    ...times,
    ...changes,
  } as never;
}

describe('a message that waits for its time', () => {
  it('can be moved: only what was changed is sent', async () => {
    const gateway = new FakeGateway();
    gateway.answer('PATCH', PATH, message());
    const { user } = show(<ScheduledCard kind="messages" message={message()} isWaiting />, { gateway });
    await user.click(screen.getByRole('button', { name: 'Move or edit' }));
    const text = await screen.findByLabelText('Text');
    await user.clear(text);
    await user.type(text, 'New');
    await user.click(screen.getByRole('button', { name: 'Save the change' }));
    await waitFor(() => expect(gateway.askedFor('PATCH', PATH)).toHaveLength(1));
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({ content: 'New' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says what happened when the change comes too late', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('PATCH', PATH, 409, {
      message: 'The message has left; it can no longer be changed',
      code: 'CONFLICT',
    });
    const { user } = show(<ScheduledCard kind="messages" message={message()} isWaiting />, { gateway });
    await user.click(screen.getByRole('button', { name: 'Move or edit' }));
    await user.type(await screen.findByLabelText('Text'), '!');
    await user.click(screen.getByRole('button', { name: 'Save the change' }));
    await screen.findByText(/The message has left; it can no longer be changed/);
  });

  describe('that somebody else has changed while the dialog is open', () => {
    const open = async (): Promise<{
      gateway: FakeGateway;
      user: Shown['user'];
      poll: (now: MessageResponse) => void;
    }> => {
      const gateway = new FakeGateway();
      gateway.answer('PATCH', PATH, message());
      let poll: (now: MessageResponse) => void = () => undefined;
      function Page(): ReactNode {
        const [now, setNow] = useState(message());
        poll = setNow;
        return <ScheduledCard kind="messages" message={now} isWaiting />;
      }
      const { user } = show(<Page />, { gateway });
      await user.click(screen.getByRole('button', { name: 'Move or edit' }));
      return { gateway, user, poll: (now) => act(() => poll(now)) };
    };
    const moved = message({ revision: 1, sendAt: '2026-12-02T09:00:00.000Z' });

    it('is not moved back with a change of its text', async () => {
      const { gateway, user, poll } = await open();
      await user.type(await screen.findByLabelText('Text'), '!');
      poll(moved);
      await user.click(screen.getByRole('button', { name: 'Save the change' }));
      await waitFor(() => expect(gateway.askedFor('PATCH', PATH)).toHaveLength(1));
      expect(gateway.askedFor('PATCH', PATH)[0]).toMatchObject({ body: { content: 'Old!' }, query: { revision: '0' } });
      expect(gateway.askedFor('PATCH', PATH)[0]?.body).not.toHaveProperty('sendAt');
    });

    it('says so, shows their change beside what was typed, and saves after a look at both', async () => {
      const { gateway, user } = await open();
      const theirs = { ...moved, content: { ...moved.content, content: 'Theirs' } };
      gateway.answerWith('PATCH', PATH, ({ query }) =>
        query.revision === '1'
          ? Response.json(theirs)
          : Response.json(
              { error: { message: 'Changed since', code: 'EDIT_CONFLICT', current: theirs } },
              { status: 409 },
            ),
      );
      await user.type(await screen.findByLabelText('Text'), '!');
      await user.click(screen.getByRole('button', { name: 'Save the change' }));
      await screen.findByText('Somebody else has changed it meanwhile');
      screen.getByText('Theirs');
      expect(screen.getByLabelText('Text')).toHaveProperty('value', 'Old!');
      expect(screen.getByLabelText('Day and time')).toHaveProperty('value', scheduledForm(moved).at);
      await user.click(screen.getByRole('button', { name: 'Save the change' }));
      await waitFor(() => expect(gateway.askedFor('PATCH', PATH)).toHaveLength(2));
      expect(gateway.askedFor('PATCH', PATH)[1]?.body).toEqual({ content: 'Old!' });
    });
  });

  it('has left, and says so behind the dialog of a person who still edits it', async () => {
    let leave = (): void => undefined;
    function Page(): ReactNode {
      const [isWaiting, setWaiting] = useState(true);
      leave = () => setWaiting(false);
      return <ScheduledCard kind="messages" message={message()} isWaiting={isWaiting} />;
    }
    const { user } = show(<Page />);
    await user.click(screen.getByRole('button', { name: 'Move or edit' }));
    await screen.findByLabelText('Text');
    act(leave);
    screen.getByText(/^It left/);
    expect(screen.queryByText(/It leaves/)).toBeNull();
    screen.getByLabelText('Text');
  });

  it('waits only while nothing of it was sent', () => {
    const before = Date.parse('2026-12-01T08:00:00Z');
    expect(isScheduled(message(), before)).toBe(true);
    expect(isScheduled(message(), before + 7_200_000)).toBe(false);
    expect(isScheduled(message({ status: 'cancelled' }), before)).toBe(false);
    expect(isScheduled(message({ recipients: 1 }), before)).toBe(true);
    expect(isScheduled(message({ sendAt: null }), before)).toBe(false);
  });

  it('keeps its notification, unknown fields too, when only the title changes', () => {
    const form = { ...scheduledForm(message()), title: 'Coffee' };
    expect(changesOf(message(), form)).toEqual({ notification: { title: 'Coffee', clickUrl: 'shop://x', badge: 1 } });
  });

  it('has the words of its notification changed where these differ from its text', async () => {
    const content = { ...flags, content: '{"tea":1}', notification: { title: 'Tea', body: 'Tea is ready' } };
    const gateway = new FakeGateway();
    gateway.answer('PATCH', PATH, message());
    const { user } = show(<ScheduledCard kind="messages" message={message({ content })} isWaiting />, { gateway });
    await user.click(screen.getByRole('button', { name: 'Move or edit' }));
    const shown = await screen.findByLabelText('Text of the notification');
    await user.clear(shown);
    await user.type(shown, 'Tea is cold');
    await user.click(screen.getByRole('button', { name: 'Save the change' }));
    await waitFor(() => expect(gateway.askedFor('PATCH', PATH)).toHaveLength(1));
    const notification = { title: 'Tea', body: 'Tea is cold' };
    expect(gateway.askedFor('PATCH', PATH)[0]?.body).toEqual({ notification });
  });

  it('changes the notification with the text that it repeats', () => {
    const repeated = message({
      content: { ...flags, content: 'Old', alertText: 'Old', notification: { body: 'Old' } },
    });
    expect(changesOf(repeated, { ...scheduledForm(repeated), content: 'New' })).toEqual({
      ...{ content: 'New', alertText: 'New', notification: { body: 'New' } },
    });
    const own = message({ content: { ...flags, content: 'Old', alertText: 'Shown' } });
    expect(changesOf(own, { ...scheduledForm(own), content: 'New' })).toEqual({ content: 'New' });
    expect(changesOf(own, { ...scheduledForm(own), shown: 'Seen' })).toEqual({ alertText: 'Seen' });
  });

  it('says that its variants and languages keep their own words', async () => {
    const variants = [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1, content: 'b' },
    ];
    const content = { ...flags, content: 'Old', variants };
    const { user } = show(<ScheduledCard kind="campaigns" message={message({ content })} isWaiting />);
    await user.click(screen.getByRole('button', { name: 'Move or edit' }));
    await screen.findByText(/languages and variants keep their own texts/);
    expect(screen.queryByLabelText('Text of the notification')).toBeNull();
  });

  it('is moved by the clock of each device when it was scheduled so', () => {
    const local = message({ localTime: true, sendAt: '2026-12-01T09:00:00' });
    expect(scheduledForm(local).at).toBe('2026-12-01T09:00');
    expect(changesOf(local, { ...scheduledForm(local), at: '2026-12-02T10:30' })).toEqual({
      sendAt: '2026-12-02T10:30:00',
    });
  });
});
