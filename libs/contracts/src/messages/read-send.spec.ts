import { readPreview, readSend, readSendElement, type RecipientForms } from './read-send';

const MOST_USERS = 2;
const hello = { content: 'Hello' };

function pathsOf(body: unknown, forms: RecipientForms = 'named'): string[] {
  return readSend(body, forms, MOST_USERS)
    .problems.map(({ path }) => path)
    .sort();
}

describe('the message of a send', () => {
  it('is read as the form that its shape is of', () => {
    const recipientsOf = (body: object, forms: RecipientForms): unknown =>
      readSend({ ...hello, ...body }, forms, MOST_USERS).message?.recipients;
    expect(recipientsOf({ user: 'ada' }, 'named')).toEqual({ kind: 'users', userIds: ['ada'] });
    expect(recipientsOf({ user: '*' }, 'either')).toEqual({ kind: 'everyone' });
    expect(recipientsOf({ users: ['ada', 'ada'] }, 'either')).toEqual({ kind: 'users', userIds: ['ada'] });
    expect(recipientsOf({ target: { deviceType: 'ios' } }, 'either')).toEqual({
      kind: 'rules',
      target: { deviceType: 'ios' },
    });
    expect(readSendElement({ ...hello, user: 'ada' }, 3, 'named').message?.path).toBe('[3]');
  });

  it('refuses fields of another form, and more users than may be named', () => {
    expect(pathsOf({ ...hello, user: 'ada', target: {}, segment: {} })).toEqual(['segment', 'target']);
    expect(pathsOf({ ...hello, user: 'ada', users: ['b'] })).toEqual(['user']);
    expect(pathsOf({ ...hello, users: ['a', 'b', ''] })).toEqual(['users']);
    expect(pathsOf({ ...hello, user: 'ada', clientId: 'c', fallback: { content: 'f' } }, 'rules')).toEqual(
      ['clientId', 'fallback', 'target', 'user'].sort(),
    );
    expect(pathsOf({ ...hello, user: '*', fallback: { content: 'f' } })).toEqual(['fallback']);
    expect(pathsOf({ ...hello, user: 'ada', live: 1, inApp: true }, 'either')).toEqual(['inApp', 'live']);
  });

  it('needs content, except with a notification that only wakes the app up', () => {
    expect(pathsOf({ user: 'ada' })).toEqual(['content']);
    expect(pathsOf({ user: 'ada', notification: { contentAvailable: 1 } })).toEqual([]);
    expect(pathsOf({ user: 'ada', notification: { contentAvailable: 1, title: 't' } })).toEqual(['content']);
  });

  it('keeps what nobody knows as `extra` of the object that it stands in', () => {
    const notification = { title: 't', image: 'https://x.example/x.png', actions: [{ id: 'a', hint: 1 }] };
    const { message } = readSend({ ...hello, user: 'ada', fancy: [null], notification }, 'named', MOST_USERS);
    expect(message?.content).toMatchObject({
      extra: { fancy: [null] },
      notification: { extra: { image: 'https://x.example/x.png' }, actions: [{ id: 'a', extra: { hint: 1 } }] },
    });
  });

  it('says when it is sent: a moment, or what a clock on the wall shows', () => {
    const steeringOf = (fields: object): unknown =>
      readSend({ ...hello, target: {}, ...fields }, 'rules', MOST_USERS).message?.steering;
    const wall = '2026-11-22T09:00:00.7';
    expect(steeringOf({ sendAt: wall, localTime: true })).toMatchObject({ sendAt: new Date('2026-11-22T09:00:00Z') });
    expect(steeringOf({ sendAt: '2026-11-22T09:00:00+01:00' })).toMatchObject({
      sendAt: new Date('2026-11-22T08:00:00Z'),
    });
    expect(pathsOf({ ...hello, target: {}, localTime: 1 }, 'rules')).toEqual(['localTime']);
    expect(pathsOf({ ...hello, target: {}, localTime: 1, sendAt: '2026-11-22T09:00:00Z' }, 'rules')).toEqual([]);
    expect(pathsOf({ ...hello, target: {}, localTime: 1, sendAt: '2026-11-22T09:00:00+01:00' }, 'rules')).toEqual([
      'sendAt',
    ]);
    expect(pathsOf({ ...hello, user: 'ada', live: true, rate: 5, sendAt: wall })).toEqual(['rate', 'sendAt']);
  });

  it('is previewed for users, whatever says whom it would go to', () => {
    const preview = readPreview({ ...hello, users: ['ada'], user: '*', target: 5, live: true, rate: 5 });
    expect(preview.problems).toEqual([]);
    expect(preview.message?.recipients).toEqual({ kind: 'users', userIds: ['ada'] });
    expect(readPreview({ ...hello, user: '*' }).problems.map(({ path }) => path)).toEqual(['user']);
    expect(readPreview(hello).problems.map(({ path }) => path)).toEqual(['users']);
  });
});
