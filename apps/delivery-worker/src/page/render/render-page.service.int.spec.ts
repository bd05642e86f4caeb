import { type DeviceId, type FcmPayload, HOUR_MS, type JsonObject } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { TEMPLATE_SANDBOXES } from '@postrider/rendering';
import { accepted } from '../../testing/fake-sender';
import { APP_ID } from '../../testing/ledger';
import { usePageStage } from '../../testing/page-stage';

describe('attempting a page of a personal message', () => {
  const stage = usePageStage();
  afterEach(() => jest.restoreAllMocks());

  async function messageOf(content: JsonObject, devices: DeviceId[]): Promise<PageKey> {
    return stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now(), content });
  }

  function setUser(userId: string, attributes: JsonObject): Promise<unknown> {
    return stage.ledger.run(`INSERT INTO users (app_id, user_id, attributes) VALUES ($1, $2, $3)`, [
      APP_ID,
      userId,
      attributes,
    ]);
  }

  /** Returns `content` as each token got it, in the order of sending. */
  function contents(): Record<string, unknown> {
    return Object.fromEntries(
      stage.sender.requests.map(({ token, payload }) => [
        token,
        (envelopeOf(payload as FcmPayload) as { content: unknown }).content,
      ]),
    );
  }

  function envelopeOf(payload: FcmPayload): JsonObject {
    return JSON.parse((payload.message.data as { m: string }).m) as JsonObject;
  }

  it('tells everybody what is their own: attributes, tags, device, message', async () => {
    const devices = await stage.addDevices(3);
    await setUser('user1', { name: 'Ada', 'purchase.count': 3 });
    await setUser('user2', { name: 'Grace' });
    await stage.ledger.run(`UPDATE installations SET tags = '{plan}', tag_values = '{"plan":"gold"}', locale = 'de-DE',
      time_zone = 'Europe/Berlin', client_version = '2.1', attributes = '{"theme":"dark"}' WHERE token = 't1'`);
    const key = await messageOf(
      {
        content:
          '{{ user.name | default: "you" }} {{ user.purchase.count }} {{ tags.plan }} {{ device.clientVersion }} {{ device.theme }} {{ 1234.5 | number: 2 }} {{ message.id }}',
        data: { nested: [{ greeting: 'Hi {{ user.id }}', plain: 1 }] },
        notification: { title: 'For {{ user.id }}', clickUrl: 'https://shop.example/{{ user.id | url_encode }}' },
      },
      devices,
    );
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(contents()).toEqual({
      t1: `Ada 3 gold 2.1 dark 1.234,50 ${key.messageId}`,
      t2: `Grace     1,234.50 ${key.messageId}`,
      t3: `you     1,234.50 ${key.messageId}`,
    });
    const envelope = envelopeOf(stage.sender.requests[1]!.payload as FcmPayload);
    expect(envelope).toMatchObject({
      data: { nested: [{ greeting: 'Hi user2', plain: 1 }] },
      notification: { title: 'For user2', clickUrl: 'https://shop.example/user2' },
    });
    expect(JSON.stringify(stage.sender.requests.map(({ payload }) => payload))).not.toContain('t1"');
  });

  it('tells a user about whom much is known the same', async () => {
    const devices = await stage.addDevices(2);
    const much = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field${n}`, 'x'.repeat(20)]));
    await setUser('user1', { ...much, name: 'Ada', 'purchase.count': null, purchase: { count: 3, last: 'hat' } });
    await setUser('user2', { name: 'Grace', purchase: { count: 4, last: 'bag' } });
    const text = '{{ user.name }} {{ user.purchase.count }} {{ user.purchase.last }} {{ user.field7 }}';
    const query = jest.spyOn(stage.database.dataSource, 'query');
    await stage.worker().attempt('fcm', await messageOf({ content: text }, devices));
    expect(contents()).toEqual({ t1: `Ada  hat ${'x'.repeat(20)}`, t2: 'Grace 4 bag ' });
    const answers = await Promise.all(query.mock.results.map(({ value }) => value as Promise<unknown>));
    const about = answers.map((answer) => JSON.stringify(answer)).filter((answer) => answer.includes('"Ada"'));
    expect(about).toHaveLength(1);
    expect(about[0]).not.toContain('field8');
    const ofDevice = `${text} {{ device.locale }} {% if user.name == "Ada" %}!{% endif %}`;
    await stage.worker().attempt('fcm', await messageOf({ content: ofDevice }, devices));
    expect(contents()).toEqual({ t1: `Ada  hat ${'x'.repeat(20)}  !`, t2: 'Grace 4 bag   ' });
  });

  it('asks the database for nothing about people when nothing is said about them', async () => {
    const devices = await stage.addDevices(2);
    const query = jest.spyOn(stage.database.dataSource, 'query');
    const texts = (): string[] => query.mock.calls.map(([sql]) => JSON.stringify(sql));
    await stage.worker().attempt('fcm', await messageOf({ content: 'same for all' }, devices));
    expect(texts().filter((text) => /FROM users|promo_assignments/.test(text))).toEqual([]);
    await stage.worker().attempt('fcm', await messageOf({ content: '{{ message.id }}' }, devices));
    expect(texts().filter((text) => /FROM users|promo_assignments/.test(text))).toEqual([]);
  });

  it('gives every user a code of their own, the same on all their devices, and records it', async () => {
    const devices = await stage.addDevices(20);
    await stage.ledger.run(`UPDATE installations SET user_id = 'user1' WHERE token IN ('t2', 't3')`);
    await stage.ledger.addPromoCodes(
      Array.from({ length: 5 }, (_, n) => `OWN-${n}`),
      'spring',
    );
    await stage.ledger.addPromoCodes(Array.from({ length: 50 }, (_, n) => `ALL-${n}`));
    const key = await messageOf({ content: 'Code {{ promoCode }}', trackId: 'spring' }, devices);
    await stage.worker().attempt('fcm', key);
    const got = contents() as Record<string, string>;
    expect(got.t2).toBe(got.t1);
    expect(got.t3).toBe(got.t1);
    expect(new Set(Object.values(got)).size).toBe(18);
    expect(Object.values(got).filter((text) => text.startsWith('Code OWN-')).length).toBe(7);
    const deliveries = await stage.ledger.deliveries(key.messageId);
    expect(deliveries.map(({ promo_code: code }) => `Code ${String(code)}`)).toEqual(
      devices.map((_, n) => got[`t${n + 1}`]),
    );
  });

  it('gives the same codes again on a retry, and when a worker died after it claimed them', async () => {
    const devices = await stage.addDevices(4);
    await stage.ledger.addPromoCodes(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
    const key = await messageOf({ content: '{{ promoCode }}' }, devices);
    stage.sender.answer = (token) =>
      token === 't4'
        ? accepted(token)
        : { kind: 'retryable', code: 'UNAVAILABLE', reason: 'later', retryAfterMs: null };
    const dead = stage.worker({ instanceId: 'dead' });
    await dead.attempt('fcm', key);
    const first = contents();
    stage.sender.requests.length = 0;
    stage.sender.answer = accepted;
    stage.clock.advance(HOUR_MS / 2);
    const retries = (await stage.ledger.pages(key.messageId)).filter(({ state }) => state === 'waiting');
    for (const { id } of retries) await stage.worker().attempt('fcm', { ...key, pageId: id as string });
    const { t4, ...others } = first;
    expect(t4).toBeDefined();
    expect(contents()).toEqual(others);
    expect(await stage.ledger.run('SELECT count(*)::int AS n FROM promo_assignments')).toEqual([{ n: 4 }]);
    const codes = (await stage.ledger.deliveries(key.messageId)).map(({ promo_code: code }) => code);
    expect(codes).toEqual([first.t1, first.t2, first.t3, first.t4]);
  });

  it('never gives one code to two users, however many workers send at once', async () => {
    const devices = await stage.addDevices(300);
    const codes = Array.from({ length: 300 }, (_, n) => `C${n}`);
    await stage.ledger.addPromoCodes(codes);
    const key = await messageOf({ content: '{{ promoCode }}' }, devices.slice(0, 50));
    const pages = [key];
    for (let at = 50; at < 300; at += 50)
      pages.push(await stage.ledger.addPage(key.messageId, devices.slice(at, at + 50)));
    const [a, b] = [stage.worker({ instanceId: 'a' }), stage.worker({ instanceId: 'b' })];
    await Promise.all(pages.map((page, n) => (n % 2 === 0 ? a : b).attempt('fcm', page)));
    expect(Object.values(contents()).sort()).toEqual([...codes].sort());
  });

  it.each([
    ['send_without', { t1: 'code X', t2: 'code ' }, { t2: 'sent' }],
    ['skip', { t1: 'code X' }, { t2: 'skipped' }],
  ])('does with users for whom no code is left what the application says: %s', async (policy, sent, { t2 }) => {
    const devices = await stage.addDevices(2);
    await stage.ledger.addPromoCodes(['X']);
    await stage.ledger.run(`UPDATE applications SET promo_exhausted = $1`, [policy]);
    const key = await messageOf({ content: 'code {{ promoCode }}' }, devices);
    const { attempt, lines } = stage.worker();
    await attempt('fcm', key);
    expect(contents()).toEqual(sent);
    const [, second] = await stage.ledger.deliveries(key.messageId);
    expect(second).toMatchObject({ state: t2, promo_code: null, error_code: t2 === 'skipped' ? 'no_code' : null });
    expect(lines.at(-1)).toMatchObject({ [t2]: t2 === 'sent' ? 2 : 1 });
  });

  it('fails the device whose text becomes too big for its vendor, with the size, and no other', async () => {
    const devices = await stage.addDevices(3);
    await setUser('user2', { story: 'é'.repeat(3_000) });
    const key = await messageOf({ content: 'Hi {{ user.story }}' }, devices);
    await stage.worker().attempt('fcm', key);
    expect(stage.sender.sent).toEqual(['t1', 't3']);
    const [, second] = await stage.ledger.deliveries(key.messageId);
    expect(second).toMatchObject({ state: 'failed', error_code: 'payload_too_large' });
    expect(second?.reason).toMatch(/^The payload has 6\d\d\d bytes for this device, fcm takes 4096 bytes$/);
  });

  it('fails the device whose link or text goes wrong, and no other', async () => {
    const devices = await stage.addDevices(4);
    await setUser('user2', { link: ' java\nscript:alert(1)' });
    await setUser('user3', { times: 100_000 });
    await setUser('user4', { link: 'shop://sale' });
    const key = await messageOf(
      {
        content: '{% for i in (1..user.times) %}x{% endfor %}',
        notification: { title: 'x', actions: [{ id: 'a', url: '{{ user.link | default: "https://shop.example" }}' }] },
      },
      devices,
    );
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toEqual(['t1', 't4']);
    const failures = (await stage.ledger.deliveries(key.messageId)).filter(({ state }) => state === 'failed');
    expect(failures).toEqual([
      expect.objectContaining({
        error_code: 'link_refused',
        reason: 'The link in notification.actions[0].url must not use the scheme javascript:',
      }),
      expect.objectContaining({ error_code: 'template_failed', reason: expect.stringContaining('content') }),
    ]);
  });

  it('claims no code for a page that is not sent', async () => {
    const devices = await stage.addDevices(2);
    await stage.ledger.addPromoCodes(['X', 'Y']);
    const key = await messageOf({ content: '{{ promoCode }}' }, devices);
    await stage.ledger.run(`UPDATE messages SET status = 'cancelled', cancelled_at = now()`);
    await stage.worker().attempt('fcm', key);
    expect(await stage.ledger.run('SELECT 1 FROM promo_assignments')).toEqual([]);
    expect(stage.sender.sent).toEqual([]);
  });

  it('takes no code for a test: a sample stands where each one would', async () => {
    const devices = await stage.addDevices(2);
    await stage.ledger.addPromoCodes(['X', 'Y']);
    const key = await messageOf({ content: 'Code {{ promoCode }}', isTest: true }, devices);
    await stage.worker().attempt('fcm', key);
    expect(Object.values(contents())).toEqual(['Code PROMO-CODE', 'Code PROMO-CODE']);
    expect(await stage.ledger.run('SELECT 1 FROM promo_assignments')).toEqual([]);
    expect((await stage.ledger.deliveries(key.messageId)).map((one) => one.promo_code)).toEqual([null, null]);
  });

  it('has texts for a whole page made by another process, a few at a time, and has time for others meanwhile', async () => {
    const devices = await stage.addDevices(200);
    const key = await messageOf({ content: '{{ user.name }} {% for i in (1..400) %}{{ i }}{% endfor %}' }, devices);
    const made: number[] = [];
    const render = TEMPLATE_SANDBOXES.render.bind(TEMPLATE_SANDBOXES);
    jest.spyOn(TEMPLATE_SANDBOXES, 'render').mockImplementation(async (...request) => {
      const texts = await render(...request);
      // Each answer is kept back until this process has asked PostgreSQL for something else and has heard from it.
      expect(await stage.ledger.run('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      made.push(texts.length);
      return texts;
    });
    await stage.worker({ concurrency: 1_000 }).attempt('fcm', key);
    expect(stage.sender.sent).toHaveLength(200);
    expect(made.reduce((sum, texts) => sum + texts, 0)).toBe(200);
    expect(Math.max(...made)).toBeLessThan(200 / 3);
  });

  it('fails for the devices alone for whom its text would never end', async () => {
    const devices = await stage.addDevices(3);
    await setUser('user2', { to: 9007199254740992 });
    const key = await messageOf(
      { content: '{% assign high = user.to | default: 1 | plus: 2 %}{% for i in (user.to..high) %}x{% endfor %}!' },
      devices,
    );
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(contents()).toEqual({ t1: '!', t3: '!' });
    expect(await stage.ledger.deliveries(key.messageId)).toMatchObject([
      { state: 'sent' },
      { state: 'failed', error_code: 'template_failed', reason: expect.stringContaining('whole numbers') },
      { state: 'sent' },
    ]);
  });
});
