import type { JsonObject, JsonValue, MessageContent } from '@postrider/domain';
import fc from 'fast-check';
import { createRenderer } from '../create-renderer';
import { VENDOR_LIMITS } from '../limits/vendor-limits';
import { FULL_MESSAGE, sampleMessage, SHOP } from '../testing/samples';
import { leastContent } from './least-content';
import type { PersonFacts } from './person-facts';
import { createPersonalFallback, createPersonalMessage, type PersonalMessage } from './personal-message';
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

describe('a personal message', () => {
  it('renders the fields that the contract names, and no other', () => {
    const text = '{{ user.name }}';
    const content = personal({
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
    }).contentFor(ADA, NOW);
    expect(content).toMatchObject({
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

  it('is not one without marks: everybody gets the same object', () => {
    expect(createPersonalMessage(FULL_MESSAGE, SHOP)).toBeNull();
    expect(templateProblems(FULL_MESSAGE.content, '')).toEqual([]);
    expect(createPersonalFallback(FULL_MESSAGE)).toBeNull();
  });

  it('leaves every text without marks as it is', () => {
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
    fc.assert(
      fc.property(unmarked, unmarked, json, (title, body, data) => {
        const given = sampleMessage({
          content: '{{ user.name }}',
          data,
          notification: { title, body, clickUrl: title },
        });
        const { content } = createPersonalMessage(given, SHOP)?.preview(ADA, NOW) ?? {};
        expect(content).toEqual({ ...given.content, content: 'Ada' });
        expect(createPersonalMessage(sampleMessage({ content: title, data, notification: { body } }), SHOP)).toBeNull();
      }),
    );
  });

  it('says what has to be looked up for it', () => {
    const nothing = { facts: false, user: false, device: false, tags: false, attributes: [], promoCode: false };
    expect(personal({ content: '{{ message.id }}' }).needs).toEqual(nothing);
    expect(personal({ content: '{{ promoCode }}' }).needs).toEqual({ ...nothing, promoCode: true });
    expect(personal({ content: '{{ tags.vip }}' }).needs).toEqual({ ...nothing, facts: true, tags: true });
    const ofUser = { ...nothing, facts: true, user: true };
    expect(personal({ content: '{{ user.name }}' }).needs).toEqual({ ...ofUser, attributes: ['name'] });
    expect(personal({ content: '{{ user }}' }).needs).toEqual({ ...ofUser, attributes: null });
    expect(personal({ content: '{{ 5 | currency: "EUR" }}' }).needs).toEqual({ ...nothing, facts: true, device: true });
    const fallback = { content: '{{ promoCode }}', media: 'sms' as const, delaySeconds: 60 };
    expect(createPersonalMessage(sampleMessage({ content: 'plain', fallback }), SHOP)).toBeNull();
    expect(createPersonalFallback(sampleMessage({ fallback }))?.needs).toEqual({ ...nothing, promoCode: true });
  });

  it('reads no attribute but those it says', () => {
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
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 3 }), attributes, (texts, all) => {
        const message = personal({ content: texts.join(' '), data: texts });
        const { attributes: named } = message.needs;
        const some = Object.fromEntries(Object.entries(all).filter(([name]) => named?.includes(name) ?? true));
        const made = (given: JsonObject): unknown => {
          try {
            return message.contentFor({ ...ADA, attributes: given }, NOW);
          } catch (error) {
            return (error as Error).message;
          }
        };
        expect(made(some)).toEqual(made(all));
      }),
      { numRuns: 1_000 },
    );
    expect(personal({ data: ['{{ user.a.b }}', '{{ user.c }}'] }).needs.attributes).toEqual(['a', 'a.b', 'c']);
    expect(personal({ data: ['{{ user.c }}', '{{ user[user.d] }}'] }).needs.attributes).toBeNull();
  });

  it('reads as the same message written out for that device', () => {
    const message = personal({ content: 'Hi {{ user.name }}', notification: { title: '{{ user.name }}', body: 'b' } });
    const written = createRenderer(
      sampleMessage({ content: 'Hi Ada', notification: { title: 'Ada', body: 'b' } }),
      SHOP,
    );
    for (const vendor of ['fcm', 'apns', 'hms', 'webpush'] as const) {
      // Some members are made only when somebody looks at them.
      const expected = { ...written.payloadFor(vendor, { deviceType: 'ios' }), isForOne: true };
      const payload = message.payloadFor(vendor, ADA, NOW) as unknown as Record<string, unknown>;
      expect(Object.fromEntries(Object.keys(expected).map((name) => [name, payload[name]]))).toEqual(expected);
    }
    const own = message.rendererFor(ADA, NOW).connectionPayload({ deviceType: 'ios' });
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

  it('fails where a link comes out dangerous, and where a template cannot be rendered', () => {
    const link = personal({ notification: { title: 'x', clickUrl: '{{ user.link }}' } });
    expect(() => link.contentFor(ADA, NOW)).toThrow(expect.objectContaining({ code: 'link_refused' }));
    const joined = personal({ notification: { title: 'x', actions: [{ url: 'java{{ "" }}script:1' }] } });
    expect(() => joined.contentFor(ADA, NOW)).toThrow(expect.objectContaining({ code: 'link_refused' }));
    const endless = personal({ content: '{% for i in (1..99999999) %}{% endfor %}' });
    expect(() => endless.contentFor(ADA, NOW)).toThrow(
      expect.objectContaining({ code: 'template_failed', message: expect.stringContaining('The template in content') }),
    );
  });

  it('has one budget for all its templates: many small ones work no longer than one big one', () => {
    const loop = '{% for i in (1..400) %}{% assign x = i %}{% endfor %}';
    expect(personal({ content: loop }).contentFor(ADA, NOW)).toMatchObject({ content: '' });
    const many = personal({ data: Array.from({ length: 100 }, () => loop) });
    expect(() => many.contentFor(ADA, NOW)).toThrow(expect.objectContaining({ code: 'template_failed' }));
  });

  it('refuses templates that are too many together', () => {
    const data = Array.from({ length: 20 }, () => `{{ user.name }}${'x'.repeat(4_000)}`);
    expect(templateProblems(sampleMessage({ data }).content, '[2]')).toContainEqual({
      path: '[2].data[16]',
      message: expect.stringContaining('65536'),
    });
  });
});

describe('the least that a message comes to', () => {
  it('is never more than what it comes to for somebody', () => {
    const piece = fc.constantFrom(
      '{{ user.name }}',
      '{% if user.name %}yes{% endif %}',
      'plain',
      'é',
      '{{ user.none }}x',
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, text, (content, title, url) => {
        const given = sampleMessage({
          content,
          data: [content],
          notification: { title: `t${title}`, clickUrl: `shop://${url}` },
        });
        const least = createRenderer({ ...given, content: leastContent(given.content) }, SHOP);
        const real = createPersonalMessage(given, SHOP)?.rendererFor(ADA, NOW) ?? createRenderer(given, SHOP);
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
