import { rows } from '@postrider/persistence';
import { addDevice, configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('personal text', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send']);
    for (const vendor of ['fcm', 'apns'] as const) await configureVendor(gateway.database, 'shop', vendor);
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada' });
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada', vendor: 'apns' });
    await addDevice(gateway.database, { appId: 'shop', userId: 'grace', tags: ['vip'] });
    await gateway.application('bank', ['send']);
    await addDevice(gateway.database, { appId: 'bank', userId: 'omid' });
    await rows(
      gateway.database,
      `INSERT INTO users (app_id, user_id, attributes) VALUES ('shop', 'ada', '{"name":"Ada","link":"javascript:1"}'),
         ('shop', 'grace', $1), ('bank', 'omid', '{"name":"of another application"}')`,
      [JSON.stringify({ name: 'Grace', story: 'x'.repeat(5_000) })],
    );
  });

  afterAll(() => gateway.close());
  beforeEach(() => rows(gateway.database, 'DELETE FROM messages'));

  function post(endpoint: string, body: unknown): Promise<TestAnswer> {
    return gateway.request('POST', `/api/push/${endpoint}?access_token=${token}`, { body });
  }

  async function ledgerIsEmpty(): Promise<boolean> {
    const [found] = await rows<{ n: number }>(
      gateway.database,
      `SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM promo_assignments) AS n`,
    );
    return Number(found?.n) === 0;
  }

  it('is refused when it does not parse: every field by its path, and nothing is sent', async () => {
    const broken = {
      user: 'ada',
      content: 'Hi {{ user.name',
      alertText: '{% if %}',
      data: { list: ['fine', { deep: '{{ x | nofilter }}' }], '{{ keys }}': 'are no templates' },
      notification: {
        title: '{% endif %}',
        body: '{{ user.name | default: "fine" }}',
        clickUrl: '{% include "/etc/passwd" %}',
        actions: [{ id: 'a' }, { id: 'b', url: '{{' }],
      },
      fallback: { content: '{% for %}' },
    };
    const one = await post('toUsers', broken);
    expect(one.status).toBe(400);
    const paths = (answer: TestAnswer): string[] => answer.body.error.details.map(({ path }: { path: string }) => path);
    const fields = [
      'content',
      'alertText',
      'data.list[1].deep',
      'notification.title',
      'notification.clickUrl',
      'notification.actions[1].url',
      'fallback.content',
    ];
    expect(paths(one)).toEqual(fields);
    expect(one.body.error.details[2].message).toMatch(/undefined filter: nofilter/);
    const several = await post('toUsers', [{ user: 'grace', content: 'fine' }, broken]);
    expect([several.status, paths(several)]).toEqual([400, fields.map((field) => `[1].${field}`)]);
    expect(await ledgerIsEmpty()).toBe(true);
  });

  it('is refused when a request has too much of it, all its messages together', async () => {
    const data = Array.from({ length: 4 }, () => `{{ user.name }}${'x'.repeat(16_000)}`);
    const answer = await post(
      'toUsers',
      Array.from({ length: 5 }, () => ({ user: 'ada', content: 'x', data })),
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: '[4].data[0]', message: expect.stringContaining('262144 bytes') }] } },
    });
    expect(await ledgerIsEmpty()).toBe(true);
  });

  it('is kept as it was written when it parses', async () => {
    const content = '{{ user.name }} {% if tags.vip %}{{ promoCode }}{% endif %}';
    expect(await post('toUsers', { user: 'ada', content })).toMatchObject({ status: 200, body: { count: 2 } });
    const [message] = await rows<{ text: string }>(
      gateway.database,
      `SELECT content->>'content' AS text FROM messages`,
    );
    expect(message?.text).toBe(content);
  });

  it('is measured by what is the same for everybody', async () => {
    const choice = `{% if user.name == "Ada" %}${'a'.repeat(6_000)}{% else %}b{% endif %}`;
    expect((await post('toUsers', { user: 'ada', content: choice })).status).toBe(200);
    const fixed = { text: 'x'.repeat(5_000), name: '{{ user.name }}' };
    const refused = await post('toUsers', { user: 'ada', content: 'x', data: fixed });
    expect([refused.status, refused.body.error.details[0].message]).toEqual([
      400,
      expect.stringMatching(/^is too big for fcm: \d+ bytes, the limit is 4096 bytes$/),
    ]);
  });

  describe('in a preview', () => {
    it('dates a scheduled message by its time, and one that leaves at once by the moment', async () => {
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      const content = '{{ message.createdAt }} {{ message.expireAt }}';
      const contentOf = async (fields: object): Promise<string> =>
        (await post('preview', { users: ['grace'], content, ttl: 60, ...fields })).body.users[0].devices[0]
          .content as string;
      const expireAt = new Date(Date.parse(sendAt) + 60_000).toISOString();
      expect(await contentOf({ sendAt })).toBe(`${sendAt} ${expireAt}`);
      expect((await contentOf({})) < sendAt).toBe(true);
      expect((await contentOf({ sendAt: '2020-01-01T00:00:00Z' })) > '2021').toBe(true);
    });

    it('is shown as it would be on every device, and nothing is sent, written or taken', async () => {
      const answer = await post('preview', {
        users: ['ada', 'grace', 'nobody'],
        content: 'Hi {{ user.name }}, {{ promoCode }} {{ user.nick }}',
        data: { for: '{{ user.id }}' },
        notification: {
          title: 'For {{ user.name }}',
          body: '{% if tags.vip %}VIP{% else %}you{% endif %}',
          clickUrl: 'shop://{{ user.id }}',
        },
        fallback: { content: 'SMS for {{ user.name | default: "you" }}' },
      });
      expect(answer.status).toBe(200);
      const [ada, grace, nobody] = answer.body.users;
      expect(ada.devices.map(({ vendor }: { vendor: string }) => vendor).sort()).toEqual(['apns', 'fcm']);
      for (const device of ada.devices) {
        expect(device).toMatchObject({
          title: 'For Ada',
          body: 'you',
          content: 'Hi Ada, PROMO-CODE ',
          clickUrl: 'shop://ada',
          data: { for: 'ada' },
          limit: 4_096,
          warnings: ['user.nick has no value'],
        });
        expect(device.bytes).toBeGreaterThan(100);
        expect(JSON.stringify(device.payload)).toContain('Hi Ada, PROMO-CODE');
      }
      expect(grace).toMatchObject({ devices: [{ vendor: 'fcm', title: 'For Grace', body: 'VIP' }] });
      expect(grace.sms).toEqual({ language: null, text: 'SMS for Grace' });
      expect(nobody).toEqual({ userId: 'nobody', devices: [], sms: { language: null, text: 'SMS for you' } });
      expect(await ledgerIsEmpty()).toBe(true);
    });

    it('warns of an SMS that is never sent, because the message expires first', async () => {
      const late = { content: 'Hi', ttl: 60, fallback: { content: 'SMS', delay: 60 } };
      const warning = {
        path: 'fallback.delay',
        message: 'is not less than ttl: the message expires before the SMS may be sent',
      };
      const warningsOf = async (endpoint: string, body: unknown): Promise<unknown> =>
        (await post(endpoint, body)).body.warnings;
      const dryRun = async (body: unknown): Promise<unknown> => {
        const { body: answer } = await gateway.request('POST', `/api/push/toUsers?dryRun=true&access_token=${token}`, {
          body,
        });
        return answer.warnings;
      };
      expect(await warningsOf('preview', { users: ['ada'], ...late })).toEqual([warning]);
      expect(
        await dryRun([
          { user: 'ada', ...late, ttl: 61 },
          { user: 'ada', ...late },
        ]),
      ).toEqual([{ ...warning, path: '[1].fallback.delay' }]);
      expect(await dryRun({ user: 'ada', ...late, ttl: undefined })).toBeUndefined();
    });

    it('says for whom it cannot be made, and why', async () => {
      const { body } = await post('preview', {
        users: ['ada', 'grace'],
        content: '{{ user.story }}',
        notification: { title: 'x', clickUrl: '{{ user.link | default: "https://shop.example" }}' },
      });
      const [ada, grace] = body.users;
      expect(ada.devices[0].problem).toEqual({
        code: 'link_refused',
        message: 'The link in notification.clickUrl must not use the scheme javascript:',
      });
      expect(grace.devices[0]).toMatchObject({ problem: { code: 'payload_too_large' }, limit: 4_096 });
      expect(grace.devices[0].bytes).toBeGreaterThan(5_000);
    });

    it.each([
      '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}',
      '{% assign to = user.nothing | default: 9007199254740994 %}{% assign all = (9007199254740992..to) %}',
      `{% assign l = tags %}${'{% assign l = l | push: l %}'.repeat(60)}{{ l }}`,
    ])('ends whatever the text does: %s', async (content) => {
      const { body } = await post('preview', { users: ['ada'], content });
      expect(body.users[0].devices).toHaveLength(2);
      for (const device of body.users[0].devices)
        expect(device).toMatchObject({ problem: { code: 'template_failed' } });
    });

    it('says which devices could not be reached', async () => {
      const { body } = await post('preview', { users: ['grace'], content: 'Hi {{ user.name }}', inApp: true });
      expect(body.users[0].devices).toEqual([
        expect.objectContaining({
          vendor: null,
          content: 'Hi Grace',
          problem: expect.objectContaining({ code: 'no_connection' }),
        }),
      ]);
    });

    it('takes the body of any send', async () => {
      const bodies = [
        { user: 'ada', content: 'x' },
        { users: ['ada'], target: { deviceType: 'android' }, content: 'x' },
        { users: ['ada'], user: 'grace', segment: { all: [] }, content: 'plain' },
      ];
      for (const body of bodies) {
        expect(await post('preview', body)).toMatchObject({ status: 200, body: { users: [{ userId: 'ada' }] } });
      }
    });

    it.each([
      [{ content: 'x' }, 'users'],
      [{ users: [], content: 'x' }, 'users'],
      [{ users: Array.from({ length: 21 }, (_, n) => `u${n}`), content: 'x' }, 'users'],
      [{ user: '*', content: 'x' }, 'user'],
      [{ users: ['ada'] }, 'content'],
      [{ users: ['ada'], content: '{{' }, 'content'],
      [[], ''],
    ])('refuses %j', async (body, path) => {
      const answer = await post('preview', body);
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    });

    it('shows nothing of another application', async () => {
      const { body } = await post('preview', {
        users: ['omid'],
        content: '{{ user.name }}',
        fallback: { content: '{{ user.name }}!' },
      });
      expect(body.users).toEqual([{ userId: 'omid', devices: [], sms: { language: null, text: '!' } }]);
    });

    it('says that an SMS is longer than Twilio takes, where Twilio is the provider', async () => {
      const fallback = { content: '{{ user.name }}'.padEnd(1_650, '!') };
      const sms = async (): Promise<object> =>
        (await post('preview', { users: ['ada'], content: 'x', fallback })).body.users[0].sms as object;
      expect(await sms()).not.toHaveProperty('problem');
      await rows(
        gateway.database,
        `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('shop', 'sms', '{"provider":"twilio"}', '')`,
      );
      const problem = { code: 'payload_too_large', message: 'The text has 1,638 characters, Twilio takes 1,600' };
      expect(await sms()).toMatchObject({ text: expect.stringMatching(/^Ada!+$/), problem });
      await rows(gateway.database, `DELETE FROM vendor_credentials WHERE vendor = 'sms'`);
    });

    it('needs a token that may send', async () => {
      const reader = await gateway.token('shop', ['read']);
      const answer = await gateway.request('POST', `/api/push/preview?access_token=${reader}`, {
        body: { users: ['ada'], content: 'x' },
      });
      expect(answer.status).toBe(403);
    });
  });
});
