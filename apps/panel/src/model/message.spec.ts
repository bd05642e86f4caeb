import { readSend } from '@postrider/contracts';
import { placeProblems, problemsOf } from './message-problems';
import { copyOf, copyOfMessage } from './copy-message';
import { draftOfStored, isStored, type MessageDraft, newMessage, storedForm } from './message-draft';
import { requestsOf, testRequestOf } from './message-requests';
import { newVariant } from './message-variants';
import { newGroup, newRule } from './segment-draft';

const NOW = new Date('2026-05-01T12:00:00Z');
const tagged = newGroup('all', [{ ...newRule('tags'), values: ['gold'] }]);

function draft(changes: Partial<MessageDraft> = {}): MessageDraft {
  const empty = newMessage('draft-1');
  return { ...empty, audience: { ...empty.audience, segment: tagged }, content: 'Tea at four', ...changes };
}

function toUsers(users: string, changes: Partial<MessageDraft> = {}): MessageDraft {
  return draft({ audience: { ...newMessage('').audience, kind: 'users', users }, ...changes });
}

describe('a message as it is written', () => {
  it('goes to a segment with nothing but what was filled in', () => {
    expect(requestsOf(draft({ title: 'Tea' }))).toEqual([
      {
        path: '/api/push/byQuery',
        body: {
          segment: { all: [{ name: 'tags', operator: 'include', value: ['gold'] }] },
          content: 'Tea at four',
          useAsAlert: true,
          notification: { title: 'Tea' },
        },
        idempotencyKey: 'draft-1',
      },
    ]);
  });

  it('goes to each named user once, with everything that can be filled in', () => {
    const [request] = requestsOf(
      toUsers('ada\n omid ,ada', {
        title: 'Tea',
        alertText: 'Come',
        clickUrl: ' shop://tea ',
        mediaUrl: 'https://x.example/t.png',
        actions: [{ key: 'a', id: '', title: 'Yes', url: 'shop://yes', icon: '', options: 5 }],
        autoNotify: true,
        trackLinks: true,
        countsTowardsCap: true,
        mutableContent: true,
        sound: 'bell',
        data: '{"a":[1]}',
        trackId: 'tea',
        clientId: 'c',
        channel: 'private/tea',
        ttl: { amount: '1.5', unit: 'hours' },
        fallback: { isOn: true, content: 'Tea!', delay: '30', onlyShown: true },
        rate: '50',
        schedule: { kind: 'at', at: '2026-05-02T09:00:00Z' },
      }),
    );
    expect(request?.path).toBe('/api/push/toUsers');
    expect(request?.body).toEqual({
      users: ['ada', 'omid'],
      content: 'Tea at four',
      alertText: 'Come',
      notification: {
        title: 'Tea',
        clickUrl: 'shop://tea',
        mediaUrl: 'https://x.example/t.png',
        actions: [{ id: 'Yes', title: 'Yes', url: 'shop://yes', options: 5 }],
        mutableContent: true,
        sound: 'bell',
      },
      autoNotify: true,
      trackLinks: true,
      countsTowardsCap: true,
      data: { a: [1] },
      trackId: 'tea',
      clientId: 'c',
      channel: 'private/tea',
      ttl: 5400,
      fallback: { content: 'Tea!', media: 'sms', delay: 30, policy: 'NOTIFICATION_SHOWN' },
      rate: 50,
      sendAt: '2026-05-02T09:00:00.000Z',
    });
    expect(readSend(request?.body, 'named', 10).problems).toEqual([]);
  });

  it('has what is different in each language, and nothing where the default has nothing', () => {
    const empty = { title: '', content: '', alertText: '', clickUrl: '', sms: '' };
    const languages = [
      {
        ...empty,
        key: '1',
        tag: ' fa ',
        title: 'چای',
        content: 'چای',
        clickUrl: ' shop://tea ',
        alertText: 'x',
        sms: 'پیامک',
      },
      { ...empty, key: '2', tag: 'de-AT' },
    ];
    const [{ body } = { body: {} }] = requestsOf(draft({ title: 'Tea', languages }));
    expect(body).toMatchObject({
      localized: {
        fa: { content: 'چای', alertText: 'x', notification: { title: 'چای', clickUrl: 'shop://tea' } },
        'de-AT': {},
      },
    });
    const { fallback } = newMessage('');
    const sms = toUsers('ada', {
      languages,
      alertText: 'Alert',
      fallback: { ...fallback, isOn: true, content: 'SMS' },
    });
    expect(requestsOf(sms)[0]?.body).toMatchObject({
      localized: { fa: { alertText: 'x', fallback: { content: 'پیامک' } } },
    });
    expect(readSend(requestsOf(sms)[0]?.body, 'named', 10).problems).toEqual([]);
    const silent = requestsOf(draft({ languages, silent: true }))[0]?.body as { localized: object };
    expect(silent.localized).toEqual({ fa: { content: 'چای' }, 'de-AT': {} });
    const copied = copyOf(body as never, 'public/default', 'draft-2');
    expect(requestsOf({ ...draft(), ...copied, audience: draft().audience })[0]?.body).toMatchObject({
      localized: (body as { localized: object }).localized,
    });
  });

  it('keeps frequency caps as it says: a campaign unless it ignores them, one to named users only if it counts', () => {
    const both = { ignoreFrequencyCap: true, countsTowardsCap: true };
    const [campaign] = requestsOf(draft(both));
    const [named] = requestsOf(toUsers('ada', both));
    expect(campaign?.body).toMatchObject({ ignoreFrequencyCap: true });
    expect(campaign?.body).not.toHaveProperty('countsTowardsCap');
    expect(named?.body).toMatchObject({ countsTowardsCap: true });
    expect(named?.body).not.toHaveProperty('ignoreFrequencyCap');
    expect(testRequestOf(draft(both), ['me'], 'k').body).toEqual({
      ...{ users: ['me'], content: 'Tea at four', useAsAlert: true, ignoreQuietHours: true, isTest: true },
    });
    const copied = copyOf({ content: 'x', ...both } as never, 'public/default', 'draft-2');
    expect(copied).toMatchObject({ ...both, more: '' });
  });

  it('holds users out where none is named, and needs a track id by which these are the same each time', () => {
    const held = draft({ holdout: ' 10 ', trackId: 'tea' });
    const body = requestsOf(held)[0]?.body;
    expect(body).toMatchObject({ holdout: 10, trackId: 'tea' });
    expect(problemsOf(held, null, NOW)).toEqual({});
    expect(problemsOf({ ...held, trackId: '' }, null, NOW)).toEqual({ trackId: expect.stringContaining('track id') });
    expect(requestsOf({ ...toUsers('ada'), holdout: '10' })[0]?.body).not.toHaveProperty('holdout');
    expect(testRequestOf(held, ['me'], 'k').body).not.toHaveProperty('holdout');
    const copied = copyOf(body as never, 'public/default', 'draft-2');
    expect(requestsOf({ ...copied, audience: held.audience })[0]?.body).toMatchObject({ holdout: 10 });
    for (const holdout of ['', '0']) {
      expect(requestsOf(draft({ holdout }))[0]?.body).not.toHaveProperty('holdout');
      expect(problemsOf(draft({ holdout }), null, NOW)).toEqual({});
    }
    for (const holdout of ['51', '-1', '1.5', 'ten']) {
      expect(Object.keys(problemsOf({ ...held, holdout }, null, NOW))).toEqual(['holdout']);
    }
    const refused = { path: 'holdout', message: 'must be at most 50' };
    expect(placeProblems(held, [refused]).fields).toEqual({ holdout: 'Must be at most 50' });
  });

  it('takes further fields that have no place on the page, and no others', () => {
    const more = '{"colour":"red","notification":{"vibrate":[1]}}';
    const body = requestsOf(draft({ more, title: 'Tea' }))[0]?.body;
    expect(body).toMatchObject({
      colour: 'red',
      notification: { title: 'Tea', vibrate: [1] },
    });
    const { more: copied } = copyOf({ ...body, extra: { colour: 'red' } } as never, 'public/default', 'draft-2');
    expect(JSON.parse(copied)).toEqual(JSON.parse(more));
    expect(problemsOf(draft({ more, title: 'Tea' }), null, NOW)).toEqual({});
    for (const bad of ['[1]', '{', 'null', '{"user":"*"}', '{"notification":{"title":"x"}}']) {
      expect(Object.keys(problemsOf(draft({ more: bad }), null, NOW))).toContain('more');
    }
  });

  it('copies the variables and the fallback of a sent message', () => {
    const fallback = { content: 'SMS', media: 'sms', delaySeconds: 30 };
    const content = { content: '{{ variables.n }}', variables: { n: 3, name: 'x' }, fallback };
    const copied = copyOf(content as never, 'public/default', 'draft-2');
    const { audience } = toUsers('ada');
    expect(requestsOf({ ...copied, audience })[0]?.body).toMatchObject({
      variables: { n: 3, name: 'x' },
      fallback: { content: 'SMS', delay: 30 },
    });
  });

  it('keeps a notification of nobody’s eyes: silent, in-app, live, by vendors only', () => {
    expect(requestsOf(draft({ silent: true, title: 'T', reach: 'live' }))[0]?.body).toEqual({
      segment: expect.anything(),
      content: 'Tea at four',
      silent: true,
      live: true,
    });
    expect(requestsOf(draft({ silent: true, contentAvailable: true, content: '' }))[0]?.body).toMatchObject({
      silent: true,
      notification: { contentAvailable: true },
    });
    expect(requestsOf(draft({ reach: 'vendor' }))[0]?.path).toBe('/api/push/notifyUsers');
    expect(requestsOf(draft({ reach: 'inApp' }))[0]?.body).toMatchObject({ inApp: true });
  });

  it('that went by vendors only is copied as one that does', () => {
    const content = { content: 'x', silent: false, inApp: false, live: false, autoNotify: false, useAsAlert: true };
    const sent = { content, channel: 'public/default', rate: null, ignoreQuietHours: false };
    expect(copyOfMessage({ ...sent, kind: 'notify' }, 'draft-2').reach).toBe('vendor');
    expect(copyOfMessage({ ...sent, kind: 'users' }, 'draft-2').reach).toBe('any');
  });

  it('is copied with its rate, and with its leave to be sent in quiet hours', () => {
    const content = { content: 'x', silent: false, inApp: false, live: false, autoNotify: false, useAsAlert: true };
    const sent = { content, channel: 'public/default', kind: 'query' } as const;
    const copied = copyOfMessage({ ...sent, rate: 50, ignoreQuietHours: true }, 'draft-2');
    expect(requestsOf({ ...copied, audience: draft({}).audience })[0]?.body).toMatchObject({
      rate: 50,
      ignoreQuietHours: true,
    });
    const plain = copyOfMessage({ ...sent, rate: null, ignoreQuietHours: false }, 'draft-2');
    expect(plain).toMatchObject({ rate: '', ignoreQuietHours: false });
  });

  it('goes to a saved segment by its id, and to everyone by a star', () => {
    const { audience } = newMessage('');
    expect(requestsOf(draft({ audience: { ...audience, kind: 'saved', segmentId: 's' } }))[0]?.body).toMatchObject({
      segment: { id: 's' },
    });
    expect(
      requestsOf(draft({ audience: { ...audience, kind: 'everyone' }, channel: 'public/sport' }))[0]?.body,
    ).toMatchObject({ user: '*', channel: 'public/sport' });
  });

  it('asks for no SMS where the API takes none', () => {
    const fallback = { isOn: true, content: 'x', delay: '60', onlyShown: false };
    expect(requestsOf(draft({ fallback }))[0]?.body).not.toHaveProperty('fallback');
  });

  it('goes in several requests when a file holds more ids than one can carry', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `user-number-${index}`);
    const requests = requestsOf(draft({ audience: { ...newMessage('').audience, kind: 'file' } }), ids);
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.flatMap(({ body }) => body.users as string[])).toEqual(ids);
    expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(requests.length);
    for (const { body } of requests) {
      expect(JSON.stringify(body).length).toBeLessThan(1_048_576);
      expect(body.clientId).toBe('draft-1');
    }
  });

  it('is tested on named users only: now, without SMS, tracking or channel', () => {
    const tried = draft({
      trackId: 't',
      channel: 'sport',
      rate: '5',
      schedule: { kind: 'at', at: '2030-01-01T00:00:00Z' },
      fallback: { isOn: true, content: 'x', delay: '1', onlyShown: false },
    });
    expect(testRequestOf(tried, ['me'], 'k')).toEqual({
      path: '/api/push/toUsers',
      body: { users: ['me'], content: 'Tea at four', useAsAlert: true, ignoreQuietHours: true, isTest: true },
      idempotencyKey: 'k',
    });
  });
});

describe('a message that is not finished', () => {
  const fields = (unfinished: MessageDraft): string[] => Object.keys(problemsOf(unfinished, null, NOW));

  it('says at each field what it lacks', () => {
    expect(fields(draft())).toEqual([]);
    expect(fields(newMessage('x'))).toEqual(['audience', 'content']);
    expect(fields(draft({ clickUrl: 'java\nscript:alert(1)' }))).toEqual(['title', 'clickUrl']);
    expect(fields(draft({ data: '{' }))).toEqual(['data']);
    expect(fields(draft({ ledColor: 'red', title: 'T' }))).toEqual(['ledColor']);
    expect(fields(draft({ channel: 'a b' }))).toEqual(['channel']);
    expect(fields(draft({ ttl: { amount: '29', unit: 'days' } }))).toEqual(['ttl']);
    expect(fields(draft({ rate: '0' }))).toEqual(['rate']);
    expect(fields(draft({ schedule: { kind: 'at', at: '2026-05-01T11:59:00Z' } }))).toEqual(['schedule']);
    expect(fields(draft({ schedule: { kind: 'each', at: '' } }))).toEqual(['schedule']);
    expect(fields(draft({ silent: true, contentAvailable: true, content: '' }))).toEqual([]);
    const action = { key: 'k', id: '', title: ' ', url: 'file:///etc/passwd', icon: '', options: 0 };
    expect(fields(draft({ title: 'T', actions: [action] }))).toEqual(['action.k.title', 'action.k.url']);
  });

  it('names an integer that would be sent as another one', () => {
    const variant = { ...newVariant('A'), key: 'a', data: '[9007199254740993]' };
    const test = { variants: [variant, { ...newVariant('B'), more: '{"notification":{"id":9007199254740993}}' }] };
    expect(problemsOf(draft({ data: '{"order":{"id":9007199254740993}}' }), null, NOW)).toEqual({
      data: 'The number at order.id has more digits than JSON keeps: put it in quotes',
    });
    expect(fields(draft({ data: '9007199254740993' }))).toEqual(['data']);
    expect(fields(draft({ more: '{"order":9007199254740993}' }))).toEqual(['more']);
    expect(fields(draft(test))).toEqual(['variant.a.data', `variant.${test.variants[1]?.key}.more`]);
    const variable = { name: 'n', value: '9007199254740993', isRequired: true, description: '' };
    expect(fields(draft({ variables: [{ ...variable, isJson: true }] }))).toEqual(['variables.n']);
    expect(fields(draft({ variables: [variable], data: '{"id":"9007199254740993","n":9007199254740992}' }))).toEqual(
      [],
    );
  });

  it('says what is wrong with each kind of audience', () => {
    expect(fields(toUsers(' \n'))).toEqual(['audience']);
    expect(fields(toUsers('ada\n*'))).toEqual(['audience']);
    expect(fields(toUsers('x'.repeat(256)))).toEqual(['audience']);
    const { audience } = newMessage('');
    expect(fields(draft({ audience: { ...audience, kind: 'saved' } }))).toEqual(['audience']);
    expect(fields(draft({ audience: { ...audience, kind: 'file' } }))).toEqual(['audience']);
    expect(fields(draft({ audience: { ...audience, kind: 'everyone' } }))).toEqual([]);
    expect(fields(draft({ audience: { ...audience, segment: newGroup('all', [newRule('city')]) } }))).toEqual([
      'audience',
    ]);
  });

  it('asks a fallback for its text and its delay', () => {
    const fallback = { isOn: true, content: '', delay: 'soon', onlyShown: false };
    expect(fields(toUsers('ada', { fallback }))).toEqual(['fallback.content', 'fallback.delay']);
  });
});

describe('the languages of a message', () => {
  const language = (key: string, tag: string): MessageDraft['languages'][number] => ({
    ...{ key, tag, title: '', content: '', alertText: '', clickUrl: '', sms: '' },
  });

  it('need tags that differ', () => {
    const languages = [language('1', 'fa'), language('2', 'FA '), language('3', ''), language('4', 'english')];
    expect(Object.keys(problemsOf(draft({ languages }), null, NOW))).toEqual([
      'language.2.tag',
      'language.3.tag',
      'language.4.tag',
    ]);
  });

  it('show what the API refuses at their own fields', () => {
    const written = draft({ languages: [language('7', 'de-AT')] });
    const refused = ['content', 'notification.title', 'fallback.content', 'titel'].map((field) => ({
      path: `localized.de-AT.${field}`,
      message: 'is wrong',
    }));
    const { fields, others } = placeProblems(written, [
      ...refused,
      { path: 'localized.fr.content', message: 'is wrong' },
    ]);
    expect(Object.keys(fields)).toEqual(['content', 'title', 'sms', 'tag'].map((field) => `language.7.${field}`));
    expect(others).toEqual(['localized.fr.content is wrong']);
  });
});

describe('what the API refuses', () => {
  it('stands at the field of the page, and what belongs to none beside the button', () => {
    const action = { key: 'k', id: '', title: 'x', url: '', icon: '', options: 0 };
    expect(
      placeProblems(draft({ actions: [action] }), [
        { path: 'content', message: 'must be text that is not empty' },
        { path: 'notification.actions[0].url', message: 'must not use the scheme file:' },
        { path: 'segment.all[0].value', message: 'must be text' },
        { path: 'sendAt', message: 'must lie ahead' },
        { path: 'notification.colour', message: 'is odd' },
        { path: '', message: 'is too big for fcm' },
      ]),
    ).toEqual({
      fields: {
        content: 'Must be text that is not empty',
        'action.k.url': 'Must not use the scheme file:',
        audience: 'Must be text',
        schedule: 'Must lie ahead',
      },
      others: ['notification.colour is odd', 'The message is too big for fcm'],
    });
  });
});

describe('the time of a draft that is kept on the server', () => {
  const readAgain = (message: Record<string, unknown>): MessageDraft =>
    draftOfStored({ id: 'd-1', revision: 1, message }, 'draft-2');

  it('is the same moment for a reader in another time zone', () => {
    const schedule = { kind: 'at', at: '2030-12-01T10:00' } as const;
    const message = JSON.parse(storedForm(draft({ schedule }))) as Record<string, unknown>;
    expect(message['schedule']).toEqual({ kind: 'at', at: new Date(schedule.at).toISOString() });
    expect(readAgain(message).schedule).toEqual(schedule);
    expect(isStored(readAgain(message))).toBe(true);
  });

  it('stays as it was typed where every device has its own, and while it is no time yet', () => {
    for (const schedule of [{ kind: 'each', at: '2030-12-01T10:00' } as const, { kind: 'at', at: '' } as const]) {
      const message = JSON.parse(storedForm(draft({ schedule }))) as Record<string, unknown>;
      expect(message['schedule']).toEqual(schedule);
      expect(readAgain(message).schedule).toEqual(schedule);
    }
  });
});
