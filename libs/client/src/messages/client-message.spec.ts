import fc from 'fast-check';
import { memoryStorage } from '../storage/client-storage';
import { type ClientMessage, readMessage, readPushPayload } from './client-message';
import { MessageReceiver, SeenMessages } from './message-receiver';

describe('reading a message', () => {
  it('gives its fields, and those that nobody knows', () => {
    const notification = {
      title: 'T',
      body: 'B',
      groupId: 'g',
      actions: [{ id: 'go', title: 'Go', url: 'x' }, { id: 1 }, 7],
    };
    const message = readMessage(
      JSON.stringify({ id: 'm', content: 'c', createdAt: 5, silent: true, x: 1, extra: { y: 2 }, notification }),
    );
    expect(message).toMatchObject({
      id: 'm',
      content: 'c',
      createdAt: new Date(5),
      silent: true,
      fields: { x: 1 },
      extra: { y: 2 },
    });
    expect(message?.notification).toMatchObject({
      title: 'T',
      tag: 'g',
      notifDelivery: false,
      actions: [{ id: 'go', title: 'Go', url: 'x' }],
    });
  });

  it('finds the same in a push, which is flat, and nothing to show in a silent one', () => {
    const flat = {
      messageId: 'm',
      title: 'T',
      body: 'B',
      actions: [{ action: 'go', title: 'Go' }],
      notifDelivery: true,
    };
    expect(readPushPayload(JSON.stringify(flat))).toMatchObject({
      id: 'm',
      notification: { title: 'T', body: 'B', notifDelivery: true, actions: [{ id: 'go', title: 'Go' }] },
    });
    expect(readPushPayload(JSON.stringify({ ...flat, silent: true }))?.notification).toBeNull();
  });

  it('never throws, whatever comes', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ id: fc.jsonValue(), messageId: fc.jsonValue(), title: fc.jsonValue(), notification: fc.jsonValue() })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(anything, (text) => {
        for (const message of [readMessage(text), readPushPayload(text)]) {
          expect(message === null || message.id.length > 0).toBe(true);
        }
      }),
    );
  });
});

describe('handing messages over', () => {
  const message = (id: string): ClientMessage => readMessage(JSON.stringify({ id })) as ClientMessage;

  it('does it once for each, whichever way it comes, beyond a restart', async () => {
    const storage = memoryStorage();
    const received: string[] = [];
    const receiver = (): MessageReceiver =>
      new MessageReceiver(new SeenMessages(storage, 'shop', 'received'), ({ id }, via) =>
        received.push(`${id} ${via}`),
      );
    const first = receiver();
    await Promise.all([first.receive(message('a'), 'push'), first.receive(message('a'), 'connection')]);
    await receiver().receive(message('a'), 'connection');
    await receiver().receive(message('b'), 'connection');
    expect(received).toEqual(['a push', 'b connection']);
  });

  it('remembers a thousand', async () => {
    const seen = new SeenMessages(memoryStorage(), 'shop', 'shown');
    for (let n = 0; n <= 1_000; n++) expect(await seen.add(String(n))).toBe(true);
    expect([await seen.has('0'), await seen.has('1'), await seen.add('1000')]).toEqual([false, true, false]);
  });
});
