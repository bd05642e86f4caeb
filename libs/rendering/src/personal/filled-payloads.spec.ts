import { type ApnsPayload, type FcmPayload, type MessageContent, TextWithGaps } from '@postrider/domain';
import fc from 'fast-check';
import { createRenderer } from '../create-renderer';
import { measurePayload, VENDOR_LIMITS } from '../payloads/payload-size';
import { FULL_MESSAGE, sampleMessage, SHOP } from '../testing/samples';
import type { PersonFacts } from '../templates/person-scope';
import { TemplateFailure } from '../templates/template-failure';
import { TEMPLATE_SANDBOXES } from '../sandbox/template-sandboxes';
import { createPersonalMessage, type PersonalMessage } from './personal-message';

const NOW = new Date('2026-11-21T12:00:00Z');
type Values = Record<'a' | 'b' | 'c', string>;

function personOf(attributes: Values, deviceType: string): PersonFacts {
  const device = {
    installationId: 'i1',
    deviceType,
    osVersion: null,
    clientVersion: null,
    locale: null,
    timeZone: null,
    attributes: {},
    registration: {},
  };
  return { userId: 'ada', attributes, tags: [], tagValues: {}, device, promoCode: null };
}

/** Quotes, control characters, halves of characters, line separators, all of Unicode, empty texts, and long ones. */
const value = fc.oneof(
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\\"',
    '\u0000\u001f\u007f',
    '\ud800',
    '\udc00x',
    '\u2028\u2029',
    '😀',
    '$&$1',
    'gap0;',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(fc.constantFrom('x', '"', 'é', '\u0001'), fc.integer({ min: 100, max: 4_500 }))
    .map(([unit, times]) => unit.repeat(times)),
);
const link = fc.oneof(
  fc.constantFrom('', 'https://shop.example/"x', 'http://a', 'shop://cart', 'HTTPS://b', 'https:', 'app:1', 'a b'),
  value.map((text) => `https://shop.example/${text}`),
  value.map((text) => `x${text}`),
);
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('{{ user.a }}', '{{ user.b }}', '{{ user.c }}', 'plain', '"', '\\', 'é😀'),
      fc.string({ maxLength: 8 }).filter((plain) => !plain.includes('{')),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((pieces) => pieces.join(''));
const maybe = fc.option(text, { nil: undefined });

const content: fc.Arbitrary<Partial<MessageContent>> = fc
  .record({
    content: maybe,
    alertText: maybe,
    title: maybe,
    body: maybe,
    clickUrl: fc.constantFrom(undefined, '{{ user.a }}', 'https://shop.example/{{ user.b }}', 'shop://{{ user.c }}'),
    url: fc.constantFrom(undefined, '{{ user.a }}', '{{ user.b }}', 'shop://cart'),
    data: fc.option(fc.array(text, { maxLength: 3 }), { nil: undefined }),
    useAsAlert: fc.boolean(),
    autoNotify: fc.boolean(),
    silent: fc.boolean(),
    contentAvailable: fc.boolean(),
    isFull: fc.boolean(),
  })
  .map(({ content: main, alertText, data, title, body, clickUrl, url, contentAvailable, isFull, ...flags }) => {
    const given = {
      ...(isFull ? FULL_MESSAGE.content : {}),
      ...flags,
      content: main,
      alertText,
      data: data && { list: data, deep: { text: data[0] ?? null } },
      notification: {
        ...(isFull ? FULL_MESSAGE.content.notification : {}),
        title,
        body,
        clickUrl,
        contentAvailable,
        actions: [{ id: '1', title: 'One', url }, { id: '2' }],
      },
    };
    return JSON.parse(JSON.stringify(given)) as Partial<MessageContent>;
  });

function jsonOf(payload: FcmPayload | ApnsPayload): string {
  return JSON.stringify(payload.vendor === 'fcm' ? payload.message : payload.body);
}

/** The JSON as a sender makes it. */
function filledJson({ filling }: FcmPayload | ApnsPayload): string {
  if (filling === undefined) throw new Error('was built');
  return new TextWithGaps(jsonOf(filling.shape), filling.nonce).fill(filling.values);
}

afterAll(() => TEMPLATE_SANDBOXES.end());

describe('payloads that are filled in', () => {
  it('are what building them gives, to the byte, or are refused with the same bytes', async () => {
    const values = fc.record({ a: fc.oneof(value, link), b: fc.oneof(value, link), c: value });
    const vendors = fc.constantFrom<'fcm' | 'apns'>('fcm', 'apns');
    const types = fc.constantFrom('android', 'ios', 'web');
    let refused = 0;
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(
        content,
        vendors,
        types,
        fc.array(values, { minLength: 1, maxLength: 4 }),
        async (given, vendor, type, people) => {
          const message = createPersonalMessage(sampleMessage({ ...given, trackId: 'bench' }), SHOP);
          fc.pre(message !== null);
          for (const attributes of people) {
            const person = personOf(attributes, type);
            const made = await payloadOf(message, vendor, person);
            const built = await builtOf(message, vendor, person);
            if ('failure' in built) {
              expect(made).toEqual(built);
              continue;
            }
            const bytes = measurePayload(built.result);
            if (bytes > VENDOR_LIMITS[vendor]) {
              refused += 1;
              expect(made).toEqual({ failure: expect.stringContaining(`has ${bytes} bytes for this device`) });
              continue;
            }
            sent += 1;
            if ('failure' in made) throw new Error(made.failure);
            expect(filledJson(made.result)).toBe(jsonOf(built.result));
            expect(jsonOf(made.result)).toBe(jsonOf(built.result));
            if (made.result.vendor === 'apns' && built.result.vendor === 'apns') {
              const { pushType, priority, collapseId } = built.result;
              expect(made.result).toMatchObject({ pushType, priority, collapseId });
            }
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(15);
    expect(sent).toBeGreaterThan(150);
  });

  it('have the flat keys exactly as long as there is room, whatever a character takes', async () => {
    const message = createPersonalMessage(
      sampleMessage({ content: 'x', notification: { title: '{{ user.a }}' } }),
      SHOP,
    );
    if (message === null) throw new Error('not personal');
    const seen = new Set<boolean>();
    for (const unit of ['x', 'é', '"', '\u0001', '\ud800', '😀']) {
      for (let times = 1; times < 1_500; times += times < 130 || times > 230 ? 13 : 1) {
        const person = personOf({ a: unit.repeat(times), b: '', c: '' }, 'android');
        const made = await payloadOf(message, 'fcm', person);
        const built = await builtOf(message, 'fcm', person);
        if ('failure' in made || 'failure' in built) continue;
        expect(jsonOf(made.result)).toBe(jsonOf(built.result));
        seen.add('title' in ((built.result as FcmPayload).message.data as object));
      }
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  it('share one object for all that have the same shape, and are built when there are too many shapes', async () => {
    const data = Array.from({ length: 8 }, (_, bit) => `{% if user.a contains "${bit}" %}{{ user.b }}{% endif %}`);
    const message = createPersonalMessage(sampleMessage({ data }), SHOP);
    if (message === null) throw new Error('not personal');
    const made = async (a: string, b: string): Promise<FcmPayload> => {
      const payload = await payloadOf(message, 'fcm', personOf({ a, b, c: '' }, 'android'));
      if ('failure' in payload) throw new Error(payload.failure);
      return payload.result as FcmPayload;
    };
    expect((await made('01', 'x')).filling?.shape).toBe((await made('01', 'y')).filling?.shape);
    for (let set = 0; set < 256; set++) {
      const bits = [...Array(8).keys()].filter((bit) => set & (1 << bit));
      const { data: sent } = (await made(bits.join(''), 'z')).message as { data: { m: string } };
      expect(JSON.parse(sent.m)).toMatchObject({ data: data.map((_, bit) => (bits.includes(bit) ? 'z' : '')) });
    }
    expect((await made('01234567', 'x')).filling).toBeUndefined();
  });
});

type Made = { result: FcmPayload | ApnsPayload } | { failure: string };

async function payloadOf(message: PersonalMessage, vendor: 'fcm' | 'apns', person: PersonFacts): Promise<Made> {
  const [payload] = await message.payloadsFor(vendor, [person], NOW);
  return payload instanceof TemplateFailure
    ? { failure: payload.message }
    : { result: payload as FcmPayload | ApnsPayload };
}

/** The same, for a message that is built for that person. */
async function builtOf(message: PersonalMessage, vendor: 'fcm' | 'apns', person: PersonFacts): Promise<Made> {
  const [content] = await message.contentsFor([person], NOW);
  if (content instanceof TemplateFailure) return { failure: content.message };
  const renderer = createRenderer(sampleMessage({ ...content }), SHOP);
  const device = { deviceType: person.device?.deviceType ?? null };
  return { result: renderer.payloadFor(vendor, device) as FcmPayload | ApnsPayload };
}
