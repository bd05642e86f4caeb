import { readSend } from '@postrider/contracts';
import { copyOf } from './copy-message';
import { draftOfStored, isBlank, type MessageDraft, newMessage, storedForm, type VariantDraft } from './message-draft';
import { placeProblems, problemsOf } from './message-problems';
import { requestsOf, testRequestOf } from './message-requests';
import { newTest, newVariant, partsOf, sharesOf } from './message-variants';

const NOW = new Date('2026-05-01T12:00:00Z');
const empty = newMessage('draft-1');
const everyone = { ...empty.audience, kind: 'everyone' as const };
const LANGUAGE = { key: 'l', tag: 'fa', title: '', content: 'چای', alertText: '', clickUrl: '', sms: '' };

function variant(name: string, changes: Partial<VariantDraft> = {}): VariantDraft {
  return { ...newVariant(name), key: name, ...changes };
}

function draft(changes: Partial<MessageDraft> = {}): MessageDraft {
  const variants = [variant('A'), variant('B', { content: 'Cake' })];
  return { ...empty, audience: everyone, content: 'Tea at four', variants, ...changes };
}

const bodyOf = (written: MessageDraft): Record<string, unknown> => requestsOf(written)[0]?.body ?? {};
const problemsIn = (written: MessageDraft): string[] => Object.keys(problemsOf(written, null, NOW));

describe('the variants of a message', () => {
  it('are sent with nothing but what is different', () => {
    const full = variant(' B ', {
      weight: '3',
      title: 'Cake',
      content: 'Cake at four',
      alertText: 'Cake!',
      clickUrl: ' shop://cake ',
      mediaUrl: ' https://x.example/c.png ',
      actions: [{ key: 'a', id: '', title: 'Yes', url: '', icon: '', options: 0 }],
      data: '{"cake":1}',
      more: '{"autoNotify":true,"notification":{"sound":"bell"}}',
      languages: [LANGUAGE],
    });
    const body = bodyOf(draft({ variants: [variant('A'), full] }));
    expect(body.variants).toEqual([
      { name: 'A', weight: 1 },
      {
        ...{ name: 'B', weight: 3, content: 'Cake at four', alertText: 'Cake!', data: { cake: 1 }, autoNotify: true },
        notification: {
          ...{ title: 'Cake', clickUrl: 'shop://cake', mediaUrl: 'https://x.example/c.png', sound: 'bell' },
          actions: [{ id: 'Yes', title: 'Yes' }],
        },
        localized: { fa: { content: 'چای' } },
      },
    ]);
    expect(readSend(body, 'named', 10).problems).toEqual([]);
    expect(body).not.toHaveProperty('winner');
  });

  it('show nothing in a silent message, unless they say that they do', () => {
    const loud = variant('B', { title: 'Cake', content: 'Cake', more: '{"silent":false}' });
    const quiet = variant('A', { title: 'Tea', alertText: 'Tea' });
    expect(bodyOf(draft({ silent: true, variants: [quiet, loud] })).variants).toEqual([
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1, content: 'Cake', silent: false, notification: { title: 'Cake' } },
    ]);
  });

  it('are not for named users, and not for testers, who get the one that is chosen', () => {
    const named = draft({ audience: { ...everyone, kind: 'users', users: 'ada' } });
    expect(bodyOf(named)).toEqual({ users: ['ada'], content: 'Tea at four', useAsAlert: true });
    expect(problemsIn({ ...named, variants: [variant(''), variant('')] })).toEqual([]);
    const test = { users: ['me'], content: 'Cake', useAsAlert: true, ignoreQuietHours: true, isTest: true };
    expect(testRequestOf(draft(), ['me'], 'k', 'B').body).toEqual(test);
    expect(testRequestOf(draft(), ['me'], 'k').body).toEqual({ ...test, content: 'Tea at four' });
  });

  it('need no text of the message where each has its own', () => {
    expect(problemsIn(draft({ content: '' }))).toEqual(['content']);
    const variants = ['A', 'B'].map((name) => variant(name, { content: name }));
    expect(problemsIn(draft({ content: '', variants }))).toEqual([]);
    expect(readSend(bodyOf(draft({ content: '', variants })), 'named', 10).problems).toEqual([]);
  });

  it('say at each field what it lacks', () => {
    const action = { key: 'k', id: '', title: '', url: 'file:///x', icon: '', options: 0 };
    const variants = [
      variant('1', { name: 'A', weight: '0' }),
      variant('2', { name: ' A ', weight: '1.5', clickUrl: 'javascript:1', data: '{' }),
      variant('3', { name: '', more: '[]', actions: [action], languages: [{ ...LANGUAGE, tag: 'english' }] }),
    ];
    expect(problemsIn(draft({ variants })).sort()).toEqual([
      ...['action.k.title', 'action.k.url', 'language.l.tag', 'variant.1.weight', 'variant.2.clickUrl'],
      ...['variant.2.data', 'variant.2.name', 'variant.2.weight', 'variant.3.more', 'variant.3.name'],
    ]);
  });

  it('show what the API refuses at their own fields', () => {
    const action = { key: 'k', id: '', title: 'x', url: '', icon: '', options: 0 };
    const variants = [variant('A'), variant('B', { actions: [action], languages: [LANGUAGE] })];
    const paths = [
      ...['', '.name', '.content', '.notification.title', '.notification.sound', '.notification.actions[0].url'],
      ...['.localized.fa.content', '.localized.fr'],
    ].map((path) => `variants[1]${path}`);
    const refused = [...paths, 'variants', 'winner.after', 'winner'].map((path) => ({ path, message: 'is wrong' }));
    const { fields, others } = placeProblems(draft({ variants }), refused);
    expect(Object.keys(fields)).toEqual([
      ...['variant.B.content', 'variant.B.name', 'variant.B.title', 'variant.B.more', 'action.k.url'],
      ...['language.l.content', 'variants', 'winner.after', 'winner.kind'],
    ]);
    expect(others).toEqual([]);
    expect(placeProblems(draft(), [{ path: 'variants[7].content', message: 'is wrong' }]).others).toHaveLength(1);
  });

  it('divide those who get one by their weights', () => {
    const variants = [variant('A', { weight: '3' }), variant('B'), variant('C', { weight: 'x' })];
    expect(sharesOf(variants)).toEqual([0.75, 0.25, 0]);
    expect(sharesOf([variant('A', { weight: '0' })])).toEqual([0]);
    expect(partsOf(draft(), 101)).toEqual({
      variants: [
        { devices: 51, share: 0.5 },
        { devices: 51, share: 0.5 },
      ],
      waiting: { devices: 0, share: 0 },
    });
    const winner = { ...empty.winner, kind: 'figures' as const, share: '20' };
    const { variants: parts, waiting } = partsOf(draft({ winner }), 1_000);
    expect([...parts, waiting].map(({ devices }) => devices)).toEqual([100, 100, 800]);
  });
});

describe('the winner of a test', () => {
  const winner = { ...empty.winner, kind: 'figures' as const };

  it('is chosen by hand or by the figures, which is one for the API', () => {
    for (const kind of ['hand', 'figures'] as const) {
      const body = bodyOf(draft({ winner: { ...winner, kind } }));
      expect(body.winner).toEqual({ metric: 'opened', after: 14_400, share: 20 });
      expect(readSend(body, 'named', 10).problems).toEqual([]);
    }
    expect(bodyOf(draft({ winner, variants: [] }))).not.toHaveProperty('winner');
  });

  it('is chosen while the message is valid, from a part of the users, of those who can wait', () => {
    expect(problemsIn(draft({ winner }))).toEqual([]);
    expect(problemsIn(draft({ winner, reach: 'live' }))).toEqual(['winner.kind']);
    expect(problemsIn(draft({ winner, ttl: { amount: '4', unit: 'hours' } }))).toEqual(['winner.after']);
    for (const share of ['0', '100', '1.5', '', 'x']) {
      expect(problemsIn(draft({ winner: { ...winner, share } }))).toEqual(['winner.share']);
    }
    for (const amount of ['', '0.5', '10081', 'x']) {
      const after = { amount, unit: 'minutes' as const };
      expect(problemsIn(draft({ winner: { ...winner, after } }))).toEqual(['winner.after']);
    }
  });
});

describe('a test that is kept', () => {
  it('is in a draft, also in one that began with nothing else', () => {
    const written = draft({ winner: { ...empty.winner, kind: 'hand', share: '30' } });
    const message = JSON.parse(storedForm(written)) as Record<string, unknown>;
    const { variants, winner } = draftOfStored({ id: 'd', revision: 1, message }, 'draft-2');
    expect({ variants, winner }).toEqual({ variants: written.variants, winner: written.winner });
    expect(isBlank({ ...newMessage('x'), variants: newTest() })).toBe(false);
    expect(newTest().map(({ name }) => name)).toEqual(['A', 'B']);
  });

  it('is in a copy of what was sent, with fields for which there is no place here', () => {
    const body = bodyOf(
      draft({
        winner: { ...empty.winner, kind: 'figures', after: { amount: '90', unit: 'minutes' }, metric: 'clicked' },
        variants: [
          variant('A', { data: '[1]', alertText: 'Come' }),
          variant('B', { content: 'Cake', title: 'Cake', languages: [LANGUAGE], more: '{"silent":false}' }),
        ],
      }),
    );
    const variants = body.variants as Record<string, unknown>[];
    Object.assign(variants[1]?.notification as object, { extra: { vibrate: [1] }, sound: 'bell', body: 'Look' });
    const copied = copyOf(body as never, 'public/default', 'draft-2');
    expect(copied.winner).toEqual({
      ...{ kind: 'figures', metric: 'clicked', share: '20', after: { amount: '90', unit: 'minutes' } },
    });
    const again = bodyOf({ ...copied, audience: everyone });
    expect(again.winner).toEqual(body.winner);
    expect(again.variants).toEqual([
      variants[0],
      { ...variants[1], alertText: 'Look', notification: { title: 'Cake', sound: 'bell', vibrate: [1] } },
    ]);
    expect(problemsIn({ ...copied, audience: everyone })).toEqual([]);
  });
});
