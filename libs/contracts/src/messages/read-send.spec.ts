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

  it('says which fields may name the recipients when none does', () => {
    const problemsOf = (forms: RecipientForms): unknown => readSend(hello, forms, MOST_USERS).problems;
    expect(problemsOf('named')).toEqual([{ path: 'user', message: 'is required, or users' }]);
    expect(problemsOf('either')).toEqual([{ path: 'user', message: 'is required, or users, target or segment' }]);
    expect(problemsOf('rules')).toEqual([{ path: 'target', message: 'is required, or segment' }]);
    expect(readSendElement(hello, 3, 'either').problems).toEqual([{ path: '[3].user', message: 'is required' }]);
  });

  it('refuses dryRun in the body, where it would be an unknown field of a message that is sent', () => {
    expect(pathsOf({ ...hello, user: 'ada', dryRun: true })).toEqual(['dryRun']);
    expect(pathsOf({ ...hello, target: { deviceType: 'ios' }, dryRun: false }, 'rules')).toEqual(['dryRun']);
    expect(readSendElement({ ...hello, user: 'ada', dryRun: 1 }, 3, 'named').problems).toEqual([
      { path: '[3].dryRun', message: 'is a parameter of the query, ?dryRun=true, not a field of a message' },
    ]);
  });

  it('needs content, except with a notification that only wakes the app up', () => {
    expect(pathsOf({ user: 'ada' })).toEqual(['content']);
    expect(pathsOf({ user: 'ada', notification: { contentAvailable: 1 } })).toEqual([]);
    expect(pathsOf({ user: 'ada', notification: { contentAvailable: 1, title: 't' } })).toEqual(['content']);
    expect(pathsOf({ user: 'ada', alertText: 'Hi', notification: { contentAvailable: 1 } })).toEqual(['content']);
    expect(pathsOf({ user: 'ada', alertText: '', notification: { contentAvailable: 1 } })).toEqual([]);
    expect(pathsOf({ user: 'ada', alertText: null, notification: { contentAvailable: 1 } })).toEqual([]);
  });

  it('does not ask for content because of variants that have it and are wrong elsewhere', () => {
    const variants = [
      { name: 'A', weight: 0, content: 'a' },
      { name: 'A', weight: 1, content: 'b' },
    ];
    expect(pathsOf({ user: '*', variants })).toEqual(['variants[0].weight', 'variants[1].name']);
    const right = [{ name: 'A', weight: 1, content: 'a' }];
    expect(pathsOf({ user: '*', variants: [...right, { name: 'B', weight: 1 }] })).toEqual(['content']);
    const silent = { name: 'B', weight: 1, notification: { contentAvailable: true } };
    expect(pathsOf({ user: '*', variants: [...right, silent] })).toEqual([]);
    expect(pathsOf({ user: '*', variants: [...right, silent], alertText: 'Hi' })).toEqual(['content']);
    expect(pathsOf({ user: '*', variants: [...right, { ...silent, alertText: 'Hi' }] })).toEqual(['content']);
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

  it('is previewed in the languages that it and the shown variant have', () => {
    const plain = { name: 'A', weight: 1 };
    const variants = [plain, { ...plain, name: 'B', localized: { fr: { content: 'Salut' } } }];
    const problemsOf = (asked: object): string[] => {
      const body = { ...hello, users: ['ada'], localized: { fa: { content: 'سلام' } }, variants, ...asked };
      return readPreview(body).problems.map(({ path }) => path);
    };
    expect(problemsOf({ variant: 'B', language: 'fr' })).toEqual([]);
    expect(problemsOf({ variant: 'B', language: 'fa' })).toEqual([]);
    expect(problemsOf({ variant: 'A', language: 'fr' })).toEqual(['language']);
    expect(problemsOf({ language: 'fr' })).toEqual(['language']);
  });
});

describe('the languages of a message', () => {
  const localized = (languages: unknown, more: object = {}): string[] =>
    pathsOf({ ...hello, user: 'ada', localized: languages, ...more });

  it('are kept with what they say, without what is absent', () => {
    const languages = {
      fa: {
        content: 'سلام',
        alertText: null,
        notification: { title: 't', image: 'fa.png', actions: [{ id: 'a', hint: 1 }] },
      },
      'de-AT': { fallback: { content: 'SMS' } },
      en: {},
      fr: null,
    };
    const body = { ...hello, user: 'ada', fallback: { content: 'sms' }, localized: languages };
    const { message, problems } = readSend(body, 'named', MOST_USERS);
    expect(problems).toEqual([]);
    expect(message?.content.localized).toEqual({
      fa: {
        content: 'سلام',
        notification: { title: 't', actions: [{ id: 'a', extra: { hint: 1 } }], extra: { image: 'fa.png' } },
      },
      'de-AT': { fallback: { content: 'SMS' } },
      en: {},
    });
    expect(message?.content.extra).toBeUndefined();
    expect(Object.keys(message?.content.localized?.fa ?? {})).toEqual(['content', 'notification']);
    expect(
      readSend({ ...hello, user: 'ada', localized: {} }, 'named', MOST_USERS).message?.content.localized,
    ).toBeUndefined();
  });

  it('are well-formed tags that differ by more than case, at most 50', () => {
    expect(localized({ fa_IR: {}, 'de-AT': {}, 'DE-at': {} })).toEqual(['localized.DE-at', 'localized.fa_IR']);
    const tags = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-a${n}`, {}]));
    expect(localized(tags(50))).toEqual([]);
    expect(localized(tags(51))).toEqual(['localized']);
    expect(localized(['fa'])).toEqual(['localized']);
  });

  it('say what is wrong where it stands, and know no other fields', () => {
    expect(
      localized({
        fa: {
          content: '',
          data: {},
          title: 'x',
          notification: { clickUrl: 'javascript:x', actions: [{ options: 9 }] },
        },
        de: { fallback: { content: 'SMS', delay: 1 } },
        fr: 'Bonjour',
      }),
    ).toEqual(
      [
        'localized.de.fallback',
        'localized.de.fallback.delay',
        'localized.fa.content',
        'localized.fa.data',
        'localized.fa.notification.actions[0].options',
        'localized.fa.notification.clickUrl',
        'localized.fa.title',
        'localized.fr',
      ].sort(),
    );
    expect(
      readSendElement({ ...hello, user: 'ada', localized: { fa: { content: 1 } } }, 3, 'named').problems,
    ).toMatchObject([{ path: '[3].localized.fa.content' }]);
    expect(pathsOf({ ...hello, target: {}, localized: { fa: { fallback: { content: 'SMS' } } } }, 'rules')).toEqual([
      'localized.fa.fallback',
    ]);
  });
});
