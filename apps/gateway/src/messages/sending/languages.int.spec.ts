import { rows } from '@postrider/persistence';
import { addDevice, configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('a message in several languages', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send', 'read']);
    for (const vendor of ['fcm', 'apns'] as const) await configureVendor(gateway.database, 'shop', vendor);
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada' });
    await addDevice(gateway.database, { appId: 'shop', userId: 'bob' });
    await rows(
      gateway.database,
      `UPDATE installations SET locale = 'fa-IR', device_type = 'android' WHERE user_id = 'ada'`,
    );
    await rows(
      gateway.database,
      `INSERT INTO users (app_id, user_id, attributes) VALUES ('shop', 'ada', '{"locale":"de-AT"}'), ('shop', 'bob', '{"locale":"de"}')`,
    );
  });

  afterAll(() => gateway.close());

  function post(endpoint: string, body: unknown): Promise<TestAnswer> {
    return gateway.request('POST', `/api/${endpoint}?access_token=${token}`, { body });
  }
  const pathsOf = (answer: TestAnswer): string[] => answer.body.error.details.map(({ path }: { path: string }) => path);
  const contentOf = async ({ headers }: TestAnswer): Promise<Record<string, unknown>> => {
    const id = headers['x-message-id'] as string;
    return (await gateway.request('GET', `/api/push/messages/${id}?access_token=${token}`)).body.content as never;
  };

  const LOCALIZED = {
    fa: { content: 'سلام', notification: { title: 'حراج' }, fallback: { content: 'پیامک' } },
    de: { alertText: 'Schau' },
  };

  it('is taken by every endpoint, and shown as it was asked for', async () => {
    const message = { content: 'Hello', localized: { fa: LOCALIZED.fa, de: LOCALIZED.de } };
    const named = { ...message, user: 'ada', fallback: { content: 'SMS' } };
    for (const [endpoint, body] of [
      ['toUsers', named],
      ['toUsers', [named]],
      ['notifyUsers', named],
    ] as const) {
      const answer = await post(`push/${endpoint}`, body);
      expect([endpoint, answer.status]).toEqual([endpoint, 200]);
      expect((await contentOf(answer)).localized).toEqual(LOCALIZED);
    }
    const fa = { content: 'سلام', notification: { title: 'حراج' } };
    const group = await post('push/byQuery', { ...message, localized: { fa }, target: { deviceType: 'android' } });
    expect((await contentOf(group)).localized).toEqual({ fa });
  });

  it('is refused with the path of what is wrong: templates and sizes too, of every language, whoever speaks it', async () => {
    const wrong = {
      user: 'ada',
      content: 'Hello',
      localized: { fa: { content: '{{ user.name' }, 'zh-Hant': { titel: 'x' } },
    };
    expect(pathsOf(await post('push/toUsers', wrong))).toEqual(['localized.zh-Hant.titel', 'localized.fa.content']);
    const inArray = [
      { user: 'ada', content: 'Hello' },
      { user: 'ada', content: 'Hello', localized: { fa: { notification: { body: '{% if %}' } } } },
    ];
    expect(pathsOf(await post('push/toUsers', inArray))).toEqual(['[1].localized.fa.notification.body']);
    const big = {
      user: 'ada',
      content: 'Hello',
      localized: { ja: { content: 'x'.repeat(5_000) }, fa: { content: 'سلام' } },
    };
    const refused = await post('push/toUsers', big);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toEqual([
      {
        path: 'localized.ja',
        message: expect.stringMatching(/^is too big for fcm: \d+ bytes, the limit is 4096 bytes$/),
      },
    ]);
    expect(pathsOf(await post('push/toUsers', { ...big, content: 'x'.repeat(5_001), localized: { fa: {} } }))).toEqual([
      '',
    ]);
    const long = '{{ user.id }}'.padEnd(16_000, '.');
    const together = {
      user: 'ada',
      content: 'x',
      data: [long, long, long, long],
      localized: { fa: { content: long } },
    };
    expect(pathsOf(await post('push/toUsers', together))).toEqual(['localized.fa']);
    expect(await rows(gateway.database, `SELECT 1 FROM messages WHERE content ->> 'content' = 'x'`)).toEqual([]);
  });

  it('comes from a template too; what the send says goes before it, language by language and field by field', async () => {
    const template = await post('templates', {
      name: 'Sale',
      message: {
        content: 'Hello',
        localized: { ...LOCALIZED, de: LOCALIZED.de, fa: { content: 'سلام', notification: { title: 'حراج' } } },
      },
    });
    expect(template.status).toBe(201);
    const bad = await post('templates', {
      name: 'Bad',
      message: { content: 'Hello', localized: { fa: { content: '{{' } } },
    });
    expect(pathsOf(bad)).toEqual(['message.localized.fa.content']);
    const sent = await post('push/toUsers', {
      user: 'ada',
      templateId: template.body.id ?? template.body.templateId,
      localized: { fa: { notification: { body: 'نصف' } }, fr: { content: 'Salut' }, de: null },
    });
    expect((await contentOf(sent)).localized).toEqual({
      fa: { content: 'سلام', notification: { title: 'حراج', body: 'نصف' } },
      de: LOCALIZED.de,
      fr: { content: 'Salut' },
    });
  });

  it('goes before that of a template whatever the case of its tag', async () => {
    const message = { content: 'Hello', localized: { fa: { content: 'سلام' }, 'de-AT': { content: 'Servus' } } };
    const template = await post('templates', { name: 'Greeting', message });
    const sent = await post('push/toUsers', {
      ...{ user: 'ada', templateId: template.body.id },
      localized: { FA: { notification: { title: 'حراج' } }, 'de-at': { content: 'Grüß Gott' } },
    });
    expect((await contentOf(sent)).localized).toEqual({
      FA: { content: 'سلام', notification: { title: 'حراج' } },
      'de-at': { content: 'Grüß Gott' },
    });
  });

  it('is changed as a whole while it waits, and its fields stay as they were sent', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const notification = { title: 'حراج', image: 'fa.png', actions: [{ id: 'a', hint: 1 }] };
    const sent = await post('push/toUsers', {
      user: 'ada',
      content: 'Hello',
      sendAt,
      localized: { fa: { notification } },
    });
    const change = (changes: object): Promise<TestAnswer> =>
      gateway.request('PATCH', `/api/push/messages/${sent.headers['x-message-id'] as string}?access_token=${token}`, {
        body: changes,
      });
    const stored = {
      fa: { notification: { title: 'حراج', actions: [{ id: 'a', extra: { hint: 1 } }], extra: { image: 'fa.png' } } },
    };
    expect((await change({ content: 'Hi' })).status).toBe(200);
    expect(await contentOf(sent)).toMatchObject({ content: 'Hi', localized: stored });
    expect(pathsOf(await change({ localized: { fa: { content: '' } } }))).toEqual(['localized.fa.content']);
    expect((await change({ localized: { de: { content: 'Hallo' } } })).status).toBe(200);
    expect((await contentOf(sent)).localized).toEqual({ de: { content: 'Hallo' } });
    expect((await change({ localized: null })).status).toBe(200);
    expect(await contentOf(sent)).not.toHaveProperty('localized');
  });

  describe('has a preview that', () => {
    const preview = async (more: object = {}): Promise<unknown> => {
      const body = { users: ['ada', 'bob'], content: 'Hello', useAsAlert: true, fallback: { content: 'SMS' }, ...more };
      const answer = await post('push/preview', body);
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      const users = answer.body.users as { devices: Record<string, unknown>[]; sms?: object }[];
      return users.map(({ devices, sms }) => [devices.map(({ language, body: text }) => [language, text]), sms]);
    };
    const localized = {
      fa: { content: 'سلام {{ user.id }}' },
      de: { content: 'Hallo', fallback: { content: 'Kurz' } },
    };

    it('shows each device and each SMS in the language that it would be sent in', async () => {
      expect(await preview({ localized })).toEqual([
        [[['fa', 'سلام ada']], { language: 'de', text: 'Kurz' }],
        [[['de', 'Hallo']], { language: 'de', text: 'Kurz' }],
      ]);
      expect(await preview()).toEqual([
        [[[null, 'Hello']], { language: null, text: 'SMS' }],
        [[[null, 'Hello']], { language: null, text: 'SMS' }],
      ]);
    });

    it('shows one language on every device when it is asked for', async () => {
      expect(await preview({ localized, language: 'fa' })).toEqual([
        [[['fa', 'سلام ada']], { language: 'fa', text: 'SMS' }],
        [[['fa', 'سلام bob']], { language: 'fa', text: 'SMS' }],
      ]);
      expect(await preview({ localized, language: 'default' })).toEqual([
        [[[null, 'Hello']], { language: null, text: 'SMS' }],
        [[[null, 'Hello']], { language: null, text: 'SMS' }],
      ]);
      expect(
        pathsOf(
          await post('push/preview', { users: ['ada'], content: 'Hello', localized: { fa: {} }, language: 'fr' }),
        ),
      ).toEqual(['language']);
    });

    it('shows the language that is asked for whatever the case of its tag, and names it as the message does', async () => {
      expect(await preview({ localized, language: 'FA' })).toEqual([
        [[['fa', 'سلام ada']], { language: 'fa', text: 'SMS' }],
        [[['fa', 'سلام bob']], { language: 'fa', text: 'SMS' }],
      ]);
      const variants = [
        { name: 'plain', weight: 1, localized: { 'de-AT': { content: 'Servus' } } },
        { name: 'urgent', weight: 1, content: 'Now' },
      ];
      expect(await preview({ variants, fallback: undefined, language: 'de-at' })).toEqual([
        [[['de-AT', 'Servus']], undefined],
        [[['de-AT', 'Servus']], undefined],
      ]);
    });
  });

  it('counts in a dry run who gets which language, each with devices of that language', async () => {
    const languagesOf = async (body: unknown): Promise<unknown> => {
      const answer = await gateway.request('POST', `/api/push/toUsers?dryRun=true&access_token=${token}`, { body });
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      const found = answer.body.byLanguage as { language: string; count: number; sample: { userId: string }[] }[];
      return found?.map(({ language, count, sample }) => [language, count, sample.map(({ userId }) => userId)]);
    };
    const message = { user: '*', content: 'Hello', localized: { fa: { content: 'سلام' }, de: {}, fr: {} } };
    const everybody = [
      [null, 0, []],
      ['fa', 1, ['ada']],
      ['de', 1, ['bob']],
      ['fr', 0, []],
    ];
    expect(await languagesOf(message)).toEqual(everybody);
    expect(await languagesOf({ ...message, user: undefined, users: ['bob', 'nobody'] })).toEqual([
      [null, 0, []],
      ['fa', 0, []],
      ['de', 1, ['bob']],
      ['fr', 0, []],
    ]);
    expect(await languagesOf({ ...message, localized: { de: {} } })).toEqual([
      [null, 0, []],
      ['de', 2, ['ada', 'bob']],
    ]);
    const variants = [
      { name: 'a', weight: 1, localized: { fa: { content: 'سلام' } } },
      { name: 'b', weight: 1, localized: { FA: {}, de: { content: 'Hallo' } } },
    ];
    expect(await languagesOf({ user: '*', content: 'Hello', variants })).toEqual(everybody.slice(0, 3));
    expect(await languagesOf({ user: '*', content: 'Hello' })).toBeUndefined();
    expect(
      await languagesOf([
        { ...message, user: 'ada' },
        { ...message, user: 'bob' },
      ]),
    ).toBeUndefined();
  });

  it('has deliveries that name their language, wherever they are shown', async () => {
    const sent = await post('push/toUsers', { users: ['ada', 'bob'], content: 'Hello', localized: LOCALIZED_TEXTS });
    const id = sent.headers['x-message-id'] as string;
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, language)
       SELECT app_id, $1, id, 'sent', 2, 'fcm', CASE WHEN user_id = 'ada' THEN 'fa' END FROM installations WHERE app_id = 'shop'`,
      [id],
    );
    await rows(gateway.database, `UPDATE pages SET state = 'finished' WHERE message_id = $1`, [id]);
    const read = async (path: string): Promise<Record<string, never[]>> =>
      (await gateway.request('GET', `/api/${path}&access_token=${token}`)).body as never;
    const named = (list: { userId?: string; language: string | null }[]): unknown =>
      list.map(({ language }) => language);
    expect(named((await read(`push/messages/${id}/deliveries?limit=50`)).deliveries ?? [])).toEqual(['fa', null]);
    const devices = (await read(`push/messages/${id}/devices?userId=ada`)).devices as { delivery: never }[];
    expect(named(devices.map(({ delivery }) => delivery))).toEqual(['fa']);
    expect(named((await read('users/ada/deliveries?limit=1')).deliveries ?? [])).toEqual(['fa']);
    const exported = await read('users/ada/export?');
    const messages = (exported.messages ?? []) as unknown as { id: string; deliveries: never[] }[];
    expect(named(messages.find((message) => message.id === id)?.deliveries ?? [])).toEqual(['fa']);
  });

  const LOCALIZED_TEXTS = { fa: { content: 'سلام' }, de: { content: 'Hallo' } };
});
