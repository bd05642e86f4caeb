import {
  type DeviceId,
  type FcmPayload,
  HOUR_MS,
  type JsonObject,
  type LocalizedContent,
  type MessageContent,
} from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import {
  createPersonalMessage,
  createRenderer,
  LinkTracker,
  openTrackedLink,
  trackedLinkKey,
} from '@postrider/rendering';
import fc from 'fast-check';
import { accepted } from '../../testing/fake-sender';
import { APP_ID } from '../../testing/ledger';
import { usePageStage } from '../../testing/page-stage';

const FLAGS = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
const SECRET = 's'.repeat(64);

describe('attempting a page of a message in several languages', () => {
  const stage = usePageStage();

  function messageOf(content: JsonObject, devices: DeviceId[]): Promise<PageKey> {
    return stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now(), content: { ...FLAGS, ...content } });
  }

  /** Sets the locales of the devices `t1`, `t2`, …, and of their users. */
  async function speak(locales: readonly (readonly [device: string | null, user: unknown])[]): Promise<void> {
    await stage.ledger.run('DELETE FROM users');
    for (const [place, [device, user]] of locales.entries()) {
      await stage.ledger.run('UPDATE installations SET locale = $1 WHERE token = $2', [device, `t${place + 1}`]);
      if (user === undefined) continue;
      await stage.ledger.run(`INSERT INTO users (app_id, user_id, attributes) VALUES ($1, $2, $3)`, [
        ...[APP_ID, `user${place + 1}`],
        { locale: user },
      ]);
    }
  }

  const worker = (options: Parameters<typeof stage.worker>[0] = {}): ReturnType<typeof stage.worker> =>
    stage.worker({ makeRenderer: createRenderer, ...options });

  /** Returns what each token got last. */
  function envelopes(): Record<string, JsonObject> {
    return Object.fromEntries(
      stage.sender.requests.map(({ token, payload }) => [
        token,
        JSON.parse(((payload as FcmPayload).message.data as { m: string }).m) as JsonObject,
      ]),
    );
  }

  function texts(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(envelopes()).map(([token, { content }]) => [token, content]));
  }

  const languages = async ({ messageId }: PageKey): Promise<unknown[]> =>
    (await stage.ledger.deliveries(messageId)).map(({ language }) => language);

  it('gives each device its own: by its locale, else by its user, else the default; the delivery says which', async () => {
    const devices = await stage.addDevices(6);
    await speak([
      ['fa_IR', { not: 'text' }],
      ['fr-FR', 'de-AT-1901'],
      ['de', 'fa'],
      [null, 'FA'],
      ['en', undefined],
      ['de-AT', 7],
    ]);
    const localized = { fa: { content: 'سلام' }, 'de-AT': { content: 'Servus' } };
    const key = await messageOf({ content: 'Hello', localized }, devices);
    expect(await worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(texts()).toEqual({ t1: 'سلام', t2: 'Servus', t3: 'سلام', t4: 'سلام', t5: 'Hello', t6: 'Servus' });
    expect(await languages(key)).toEqual(['fa', 'de-AT', 'fa', 'fa', null, 'de-AT']);
    expect(await stage.ledger.run(`SELECT language, count FROM delivery_packs ORDER BY language`)).toEqual([
      { language: 'de-AT', count: 2 },
      { language: 'fa', count: 3 },
      { language: null, count: 1 },
    ]);
    expect(JSON.stringify(envelopes())).not.toContain('localized');
  });

  it('makes a payload once for each language, and asks for users only where the device has none of them', async () => {
    const devices = await stage.addDevices(40);
    await stage.ledger.run(`UPDATE installations SET locale = CASE WHEN id % 2 = 0 THEN 'fa' ELSE 'de' END`);
    const made = jest.fn(createRenderer);
    const query = jest.spyOn(stage.database.dataSource, 'query');
    const asksForUsers = (): number =>
      query.mock.calls.filter(([sql]) => /FROM users/.test(JSON.stringify(sql))).length;
    const attempting = stage.worker({ makeRenderer: made });
    await attempting.attempt(
      'fcm',
      await messageOf({ content: 'Hello', localized: { fa: {}, de: {}, fr: {} } }, devices),
    );
    expect(new Set(stage.sender.requests.map(({ payload }) => payload)).size).toBe(2);
    expect(made).toHaveBeenCalledTimes(2);
    expect(asksForUsers()).toBe(0);
    await attempting.attempt('fcm', await messageOf({ content: 'Hello', localized: { fa: {} } }, devices));
    expect(asksForUsers()).toBe(1);
    query.mockClear();
    await attempting.attempt('fcm', await messageOf({ content: 'Hello' }, devices));
    expect(asksForUsers()).toBe(0);
    expect(made).toHaveBeenCalledTimes(5);
  });

  it('sends in the same language again on a retry and after a kill, and records what was sent', async () => {
    const devices = await stage.addDevices(4);
    await speak([
      ['fa', undefined],
      ['fr', 'de'],
      ['fa-IR', undefined],
      [null, undefined],
    ]);
    const localized = { fa: { content: 'سلام {{ user.id }}' }, de: { content: 'Hallo' } };
    const key = await messageOf({ content: 'Hello', localized }, devices);
    stage.sender.answer = (token) =>
      token === 't1' ? { kind: 'retryable', code: 'UNAVAILABLE', reason: 'later', retryAfterMs: null } : undefined;
    void worker({ instanceId: 'killed' }).attempt('fcm', key);
    await stage.sender.untilWaiting(3);
    const first = texts();
    stage.sender.requests.length = 0;
    stage.sender.answer = (token, times) =>
      token === 't1' && times < 3
        ? { kind: 'retryable', code: 'UNAVAILABLE', reason: 'later', retryAfterMs: null }
        : accepted(token);
    stage.clock.advance(HOUR_MS / 4);
    await worker({ instanceId: 'heir' }).attempt('fcm', key);
    expect(texts()).toEqual(first);
    expect(first).toEqual({ t1: 'سلام user1', t2: 'Hallo', t3: 'سلام user3', t4: 'Hello' });
    stage.clock.advance(HOUR_MS / 4);
    const retries = (await stage.ledger.pages(key.messageId)).filter(({ state }) => state === 'waiting');
    expect(retries).toHaveLength(1);
    await worker().attempt('fcm', { ...key, pageId: retries[0]?.id as string });
    expect(texts()).toEqual(first);
    expect(await languages(key)).toEqual(['fa', 'de', 'fa', null]);
  });

  it('names the language of a delivery whose report came before the worker recorded it', async () => {
    const devices = await stage.addDevices(2);
    await stage.ledger.run(`UPDATE installations SET locale = 'fa'`);
    const key = await messageOf({ content: 'Hello', localized: { fa: { content: 'سلام' } } }, devices);
    const [first] = devices;
    stage.sender.answer = () => undefined;
    const attempting = worker().attempt('fcm', key);
    await stage.sender.untilWaiting(2);
    await stage.ledger.run(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, delivered_at)
       VALUES ($1, $2, $3, 'delivered', 3, 'fcm', now())`,
      [APP_ID, key.messageId, first],
    );
    stage.sender.release();
    await attempting;
    expect(await languages(key)).toEqual(['fa', 'fa']);
    expect(await stage.ledger.states(key)).toEqual({ [devices[0] ?? '']: 'delivered', [devices[1] ?? '']: 'sent' });
  });

  it('takes promo codes for those alone whose language has one in its text', async () => {
    const devices = await stage.addDevices(3);
    await speak([
      ['fa', undefined],
      ['de', undefined],
      ['fa', undefined],
    ]);
    await stage.ledger.addPromoCodes(['A']);
    await stage.ledger.run(`UPDATE applications SET promo_exhausted = 'skip'`);
    const key = await messageOf({ content: 'Hello', localized: { fa: { content: 'کد {{ promoCode }}' } } }, devices);
    await worker().attempt('fcm', key);
    expect(texts()).toEqual({ t1: 'کد A', t2: 'Hello' });
    const deliveries = await stage.ledger.deliveries(key.messageId);
    expect(deliveries.map(({ state, language, error_code: error }) => [state, language, error])).toEqual([
      ['sent', 'fa', null],
      ['sent', null, null],
      ['skipped', null, 'no_code'],
    ]);
  });

  it('fails a device whose language is too big or goes wrong, and no other', async () => {
    const devices = await stage.addDevices(3);
    await speak([
      ['fa', undefined],
      ['de', undefined],
      ['en', undefined],
    ]);
    await stage.ledger.run(
      `INSERT INTO users (app_id, user_id, attributes) VALUES ($1, 'user2', '{"times": 100000}')`,
      [APP_ID],
    );
    const localized = {
      fa: { content: 'x'.repeat(5_000) },
      de: { content: '{% for i in (1..user.times) %}x{% endfor %}' },
    };
    const key = await messageOf({ content: 'Hello', localized }, devices);
    await worker().attempt('fcm', key);
    expect(texts()).toEqual({ t3: 'Hello' });
    const deliveries = await stage.ledger.deliveries(key.messageId);
    expect(deliveries.map(({ language, error_code: error }) => [language, error])).toEqual([
      ['fa', 'payload_too_large'],
      ['de', 'template_failed'],
      [null, null],
    ]);
  });

  it('leads the links of each language past the tracker', async () => {
    const devices = await stage.addDevices(2);
    await speak([
      ['fa', undefined],
      ['en', undefined],
    ]);
    const links = new LinkTracker({
      secretKey: new Secret(SECRET),
      trackerUrl: 'https://t.example',
      publicUrl: undefined,
    });
    const notification = { title: 'Sale', clickUrl: 'https://shop.example/en' };
    const localized = { fa: { notification: { clickUrl: 'https://shop.example/fa' } } };
    await worker({ links }).attempt(
      'fcm',
      await messageOf({ content: 'Sale', trackLinks: true, notification, localized }, devices),
    );
    const opened = Object.values(envelopes()).map(({ notification: shown }) => {
      const [, token = ''] = (shown as { clickUrl: string }).clickUrl.split('/l/');
      return openTrackedLink([trackedLinkKey(SECRET)], token)?.link;
    });
    expect(opened).toEqual(['https://shop.example/fa', 'https://shop.example/en']);
  });

  it('renders for each device what a message of that language alone would be', async () => {
    const tags = ['fa', 'de', 'de-AT', 'zh-Hant'];
    const locale = fc.constantFrom(
      null,
      'fa',
      'fa-IR',
      'de',
      'de-AT',
      'de_CH',
      'zh-Hant-TW',
      'zh',
      'en-US',
      'nonsense',
    );
    const text = fc.constantFrom(
      'Plain',
      '{{ user.id }} there',
      '{% if user.id == "user1" %}One{% else %}Other{% endif %}',
    );
    const notification = fc.record(
      { title: text, body: text, clickUrl: fc.constantFrom('https://a.example', 'shop://{{ user.id }}'), icon: text },
      { requiredKeys: [] },
    );
    const own = fc.record({ content: text, alertText: text, notification }, { requiredKeys: [] });
    const message = fc.record({
      content: text,
      alertText: text,
      notification: notification.map((fields) => ({ title: 'Title', ...fields })),
      localized: fc.dictionary(fc.constantFrom(...tags), own),
    });
    const people = fc.array(fc.tuple(locale, fc.option(locale, { nil: undefined })), { minLength: 4, maxLength: 4 });
    const devices = await stage.addDevices(4);
    await fc.assert(
      fc.asyncProperty(message, people, async (content, locales) => {
        stage.sender.requests.length = 0;
        await speak(locales);
        const key = await messageOf(content, devices);
        await worker().attempt('fcm', key);
        const recorded = await languages(key);
        for (const [place, [device, user]] of locales.entries()) {
          const tag =
            expectedTag(Object.keys(content.localized), device) ?? expectedTag(Object.keys(content.localized), user);
          expect(recorded[place]).toBe(tag);
          const plain = inLanguage(content, tag === null ? {} : content.localized[tag]);
          const request = stage.sender.requests.find(({ token }) => token === `t${place + 1}`);
          expect(comparable((request?.payload as FcmPayload).message)).toEqual(
            comparable(await payloadOf(plain, key.messageId, `user${place + 1}`)),
          );
        }
      }),
      { numRuns: 12 },
    );
  });

  /** Follows the definition: the locale itself, then the locale without its last part, until it is a tag. */
  function expectedTag(tags: readonly string[], locale: string | null | undefined): string | null {
    const parts = (locale ?? '').replaceAll('_', '-').split('-');
    const tried = parts.map((_, cut) => parts.slice(0, parts.length - cut).join('-'));
    return tried.find((one) => tags.includes(one)) ?? null;
  }

  /** Returns a message that has no languages, written out. */
  function inLanguage({ content, alertText, notification }: LocalizedContent, own: LocalizedContent = {}): JsonObject {
    return {
      ...FLAGS,
      content,
      alertText,
      ...own,
      notification: { ...notification, ...own.notification },
    } as unknown as JsonObject;
  }

  async function payloadOf(content: JsonObject, id: string, userId: string): Promise<JsonObject> {
    const acceptedAt = stage.clock.now();
    const message = {
      id,
      kind: 'query' as const,
      channel: 'public/default',
      acceptedAt,
      expiresAt: new Date(acceptedAt.getTime() + HOUR_MS),
    };
    const renderable = { ...message, content: content as never };
    const application = { name: 'Shop', defaultAlertText: 'You have a new message' };
    const device = {
      installationId: '',
      deviceType: 'android',
      osVersion: null,
      clientVersion: null,
      locale: null,
      timeZone: null,
    };
    const person = {
      userId,
      attributes: {},
      tags: [],
      tagValues: {},
      device: { ...device, attributes: {}, registration: {} },
      promoCode: null,
    };
    const [own] = (await createPersonalMessage(renderable, application)?.contentsFor([person], acceptedAt)) ?? [
      renderable.content,
    ];
    const payload = createRenderer({ ...renderable, content: own as MessageContent }, application).payloadFor('fcm', {
      deviceType: 'android',
    });
    return (payload as FcmPayload).message;
  }

  /** PostgreSQL keeps the names of JSON in another order, and times with microseconds. */
  function comparable(message: JsonObject): JsonObject {
    const { m, ...data } = message.data as { m: string };
    const whole = JSON.parse(m) as JsonObject;
    return { ...message, data: { ...data, m: { ...whole, createdAt: 0, expireAt: 0 } } };
  }
});
