import type { ErrorDetail, JsonObject, JsonValue, MessageContent } from '@postrider/domain';
import fc from 'fast-check';
import { createRenderer } from '../create-renderer';
import { VENDOR_LIMITS } from '../payloads/payload-size';
import { FULL_MESSAGE, sampleMessage, SHOP } from '../testing/samples';
import { leastContent } from '../limits/payload-excess';
import { type PersonFacts, PersonScope, VARIABLE_ROOTS } from '../templates/person-scope';
import {
  createPersonalFallback,
  createPersonalMessage,
  type PersonalMessage,
  type PersonalPreview,
} from './personal-message';
import { TemplateFailure } from '../templates/template-failure';
import { TEMPLATE_SANDBOXES } from '../sandbox/template-sandboxes';
import { templateProblems } from './template-problems';

const NOW = new Date('2026-11-21T12:00:00Z');
const ADA: PersonFacts = {
  userId: 'ada',
  attributes: { name: 'Ada', link: 'javascript:alert(1)', long: 'x'.repeat(9_000) },
  tags: [],
  tagValues: {},
  device: {
    installationId: 'i1',
    deviceType: 'ios',
    osVersion: null,
    clientVersion: null,
    locale: null,
    timeZone: null,
    attributes: {},
    registration: {},
  },
  promoCode: 'CODE-1',
};

function personal(content: Partial<MessageContent>): PersonalMessage {
  const message = createPersonalMessage(sampleMessage(content), SHOP);
  if (message === null) throw new Error('not personal');
  return message;
}

/** The result for one person. @throws TemplateFailure */
async function contentFor(message: PersonalMessage, person: PersonFacts = ADA): Promise<MessageContent> {
  const [content] = await message.contentsFor([person], NOW);
  if (content instanceof TemplateFailure) throw content;
  if (content === undefined) throw new Error('nothing was made');
  return content;
}

afterAll(() => TEMPLATE_SANDBOXES.end());

describe('a personal message', () => {
  it('has a variable for each name that templates are not warned of', () => {
    const scope = new PersonScope(ADA, { message: {}, variables: {} }, NOW);
    expect(new Set(Object.keys(scope.environment))).toEqual(VARIABLE_ROOTS);
  });

  it('renders the fields that the contract names, and no other', async () => {
    const text = '{{ user.name }}';
    const message = personal({
      content: text,
      alertText: text,
      trackId: text,
      data: { [text]: [text, { deep: [text] }, 1, null] },
      notification: {
        title: text,
        body: text,
        clickUrl: `https://shop.example/${text}`,
        icon: text,
        actions: [{ id: text, title: text, url: `shop://${text}` }, { id: 'plain' }],
        extra: { more: text },
      },
      fallback: { content: text, media: 'sms', delaySeconds: 60 },
      extra: { more: text },
    });
    expect(await contentFor(message)).toMatchObject({
      content: 'Ada',
      alertText: 'Ada',
      trackId: text,
      data: { [text]: ['Ada', { deep: ['Ada'] }, 1, null] },
      notification: {
        title: 'Ada',
        body: 'Ada',
        clickUrl: 'https://shop.example/Ada',
        icon: text,
        actions: [{ id: text, title: text, url: 'shop://Ada' }, { id: 'plain' }],
        extra: { more: text },
      },
      fallback: { content: text },
      extra: { more: text },
    });
  });

  it('is not one without marks: everybody gets the same object', async () => {
    expect(createPersonalMessage(FULL_MESSAGE, SHOP)).toBeNull();
    expect(await templateProblems([{ content: FULL_MESSAGE.content, path: '' }])).toEqual([]);
    expect(createPersonalFallback(FULL_MESSAGE)).toBeNull();
  });

  it('leaves every text without marks as it is', async () => {
    const unmarked = fc.string({ unit: 'binary' }).filter((text) => !/\{[{%]/.test(text));
    const json = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        unmarked,
        fc.constantFrom(null, true, 17),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('value'),
          { maxKeys: 3 },
        ),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(unmarked, unmarked, json, async (title, body, data) => {
        const given = sampleMessage({
          content: '{{ user.name }}',
          data,
          notification: { title, body, clickUrl: title },
        });
        const previews = await createPersonalMessage(given, SHOP)?.previews([ADA], NOW);
        expect((previews?.[0] as PersonalPreview).content).toEqual({ ...given.content, content: 'Ada' });
        expect(createPersonalMessage(sampleMessage({ content: title, data, notification: { body } }), SHOP)).toBeNull();
      }),
    );
  });

  it('says what has to be looked up for it', async () => {
    const nothing = { facts: false, user: false, device: false, tags: false, attributes: [], promoCode: false };
    expect(await personal({ content: '{{ message.id }}' }).needs()).toEqual(nothing);
    expect(await personal({ content: '{{ promoCode }}' }).needs()).toEqual({ ...nothing, promoCode: true });
    expect(await personal({ content: '{{ tags.vip }}' }).needs()).toEqual({ ...nothing, facts: true, tags: true });
    const ofUser = { ...nothing, facts: true, user: true };
    expect(await personal({ content: '{{ user.name }}' }).needs()).toEqual({ ...ofUser, attributes: ['name'] });
    expect(await personal({ content: '{{ user }}' }).needs()).toEqual({ ...ofUser, attributes: null });
    expect(await personal({ content: '{{ 5 | currency: "EUR" }}' }).needs()).toEqual({
      ...nothing,
      facts: true,
      device: true,
    });
    const fallback = { content: '{{ promoCode }}', media: 'sms' as const, delaySeconds: 60 };
    expect(createPersonalMessage(sampleMessage({ content: 'plain', fallback }), SHOP)).toBeNull();
    expect(await createPersonalFallback(sampleMessage({ fallback }))?.needs()).toEqual({ ...nothing, promoCode: true });
  });

  it('reads no attribute but those it says', async () => {
    const pieces = fc.constantFrom(
      '{{ user.a }}',
      '{{ user.a.b }}',
      '{{ user["a.b"] | upcase }}',
      '{{ user.a.b.size }}',
      '{{ user.c | default: user.d }}',
      '{% if user.d contains user.a.b %}{{ user.c.first }}{% else %}-{% endif %}',
      '{% for x in user.c %}{{ x.d }}{% endfor %}',
      '{% for i in (1..user.n) %}{{ user.c[i] }}{% endfor %}',
      '{% case user.n %}{% when user.d %}1{% else %}2{% endcase %}',
      '{% unless user.n > 2 %}{{ user.id }}{% endunless %}',
      '{% assign u = user.a %}{{ u.b }}',
      '{% if user.n %}{% assign user = tags %}{% endif %}{{ user.d }}',
      '{{ tags[user.d] }}{{ message[user.c[0]] }}',
      '{{ user[user.d] }}',
      '{{ user.size }}',
      '{% for x in user %}{{ x }}{% endfor %}',
      '{% assign u = user %}{{ u.c }}',
    );
    const value = fc.constantFrom<JsonValue>('d', 'a', 3, null, 'x', ['d', 'id'], { b: 'd', d: 1 }, [{ d: 2 }]);
    const attributes = fc.dictionary(fc.constantFrom('a', 'b', 'a.b', 'a.b.size', 'c', 'd', 'n', 'size', 'x'), value);
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 3 }), attributes, async (texts, all) => {
        const message = personal({ content: texts.join(' '), data: texts });
        const { attributes: named } = await message.needs();
        const some = Object.fromEntries(Object.entries(all).filter(([name]) => named?.includes(name) ?? true));
        const people = [some, all].map((given: JsonObject) => ({ ...ADA, attributes: given }));
        const [ofSome, ofAll] = await message.contentsFor(people, NOW);
        expect(ofSome).toEqual(ofAll);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
    );
    expect((await personal({ data: ['{{ user.a.b }}', '{{ user.c }}'] }).needs()).attributes).toEqual([
      'a',
      'a.b',
      'c',
    ]);
    expect((await personal({ data: ['{{ user.c }}', '{{ user[user.d] }}'] }).needs()).attributes).toBeNull();
  });

  it('reads as the same message written out for that device', async () => {
    const message = personal({ content: 'Hi {{ user.name }}', notification: { title: '{{ user.name }}', body: 'b' } });
    const written = createRenderer(
      sampleMessage({ content: 'Hi Ada', notification: { title: 'Ada', body: 'b' } }),
      SHOP,
    );
    for (const vendor of ['fcm', 'apns', 'hms', 'webpush'] as const) {
      // Some members are made only if somebody reads them.
      const expected = { ...written.payloadFor(vendor, { deviceType: 'ios' }), isForOne: true };
      const payload = message.payloadFor(vendor, ADA, NOW) as unknown as Record<string, unknown>;
      expect(Object.fromEntries(Object.keys(expected).map((name) => [name, payload[name]]))).toEqual(expected);
    }
    const content = await contentFor(message);
    const own = createRenderer(sampleMessage(content), SHOP).connectionPayload({ deviceType: 'ios' });
    expect(own).toEqual(written.connectionPayload({ deviceType: 'ios' }));
  });

  it('falls back on the application’s words when a title or text comes out empty', () => {
    const message = personal({ notification: { title: '{{ user.none }}', body: '{{ user.none }}' } });
    expect(message.payloadFor('apns', ADA, NOW)).toMatchObject({
      body: { aps: { alert: { title: 'Shop', body: 'You have a new message' } } },
    });
  });

  it.each(['fcm', 'apns', 'hms', 'webpush'] as const)('is measured again for %s when it is rendered', (vendor) => {
    const message = personal({ content: '{{ user.long }}' });
    expect(() => message.payloadFor(vendor, ADA, NOW)).toThrow(
      expect.objectContaining({
        code: 'payload_too_large',
        message: expect.stringContaining(`${VENDOR_LIMITS[vendor]}`),
      }),
    );
    expect(message.payloadFor(vendor, { ...ADA, attributes: {} }, NOW)).toBeDefined();
  });

  it('fails where a link comes out dangerous, and where a template cannot be rendered', async () => {
    const link = personal({ notification: { title: 'x', clickUrl: '{{ user.link }}' } });
    await expect(contentFor(link)).rejects.toMatchObject({ code: 'link_refused' });
    expect(() => link.payloadFor('fcm', ADA, NOW)).toThrow(expect.objectContaining({ code: 'link_refused' }));
    const joined = personal({ notification: { title: 'x', actions: [{ url: 'java{{ "" }}script:1' }] } });
    await expect(contentFor(joined)).rejects.toMatchObject({ code: 'link_refused' });
    const endless = personal({ content: '{% for i in (1..99999999) %}{% endfor %}' });
    await expect(contentFor(endless)).rejects.toMatchObject({
      code: 'template_failed',
      message: expect.stringContaining('The template in content'),
    });
  });

  it('has one budget for all its templates: many small ones work no longer than one big one', async () => {
    const loop = '{% for i in (1..400) %}{% assign x = i %}{% endfor %}';
    expect(await contentFor(personal({ content: loop }))).toMatchObject({ content: '' });
    const many = personal({ data: Array.from({ length: 100 }, () => loop) });
    await expect(contentFor(many)).rejects.toMatchObject({ code: 'template_failed' });
  });

  it('refuses templates that are too long, alone or together', async () => {
    const problems = (data: string[]): Promise<readonly ErrorDetail[]> =>
      templateProblems([{ content: sampleMessage({ data }).content, path: '[2]' }]);
    expect(await problems(Array.from({ length: 20 }, () => `{{ user.name }}${'x'.repeat(4_000)}`))).toContainEqual({
      path: '[2].data[16]',
      message: expect.stringContaining('65536'),
    });
    expect(await problems([`{{ "${'x'.repeat(16_384)}" }}`])).toEqual([
      { path: '[2].data[0]', message: expect.stringContaining('16384') },
    ]);
  });

  it('refuses the templates of a request that are too many together', async () => {
    const data = Array.from({ length: 4 }, () => `{{ user.name }}${'é'.repeat(8_000)}`);
    const messages = Array.from({ length: 5 }, (_, place) => ({
      content: sampleMessage({ data }).content,
      path: `[${place}]`,
    }));
    expect(await templateProblems(messages.slice(0, 4))).toEqual([]);
    expect(await templateProblems(messages)).toEqual([
      { path: '[4].data[0]', message: expect.stringContaining('262144 bytes') },
    ]);
  });
});

describe('the least that a message comes to', () => {
  it('is never more than what it comes to for somebody', async () => {
    const piece = fc.constantFrom(
      '{{ user.name }}',
      '{% if user.name %}yes{% endif %}',
      'plain',
      'é',
      '{{ user.none }}x',
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (content, title, url) => {
        const given = sampleMessage({
          content,
          data: [content],
          notification: { title: `t${title}`, clickUrl: `shop://${url}` },
        });
        const least = createRenderer({ ...given, content: leastContent(given.content) }, SHOP);
        const message = createPersonalMessage(given, SHOP);
        const made = message === null ? given.content : await contentFor(message);
        const real = createRenderer({ ...given, content: made }, SHOP);
        for (const vendor of ['apns', 'hms', 'webpush'] as const) {
          expect(least.measure(vendor, 'ios')).toBeLessThanOrEqual(real.measure(vendor, 'ios'));
        }
      }),
    );
  });

  it('is the message itself when nothing of it is a template', () => {
    expect(leastContent(FULL_MESSAGE.content)).toEqual(FULL_MESSAGE.content);
  });
});
