import { type JsonObject, PUSH_VENDORS } from '@postrider/domain';
import { createRenderer } from '../create-renderer';
import { sampleMessage, SHOP } from '../testing/samples';

const LINKS = [
  'shop://product/42?ref=a&b=%D8%B3%D9%84%D8%A7%D9%85%20x',
  'shop://محصول/۴۲?q=کفش&r=ü#بالا',
  'com.example.shop:/orders/17?next=https%3A%2F%2Fshop.example%2F%3Fa%3Db',
  "shop://a'b;c,d(e)[f]?g=h+i",
  'https://shop.example/straße?q=a%26b',
];

/** Every text anywhere in a payload; JSON inside text too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const inside = /^[[{]/.test(value) ? textsIn(JSON.parse(value)) : [];
    return [value, ...inside];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe.each(LINKS)('the link %s', (link) => {
  const content = {
    content: 'x',
    notification: { title: 'x', clickUrl: link, actions: [{ id: 'go', title: 'Go', url: link }] },
  };

  it.each(PUSH_VENDORS)('arrives at %s as it was sent, on click and on action', (vendor) => {
    for (const autoNotify of [false, true]) {
      const renderer = createRenderer(sampleMessage({ ...content, autoNotify }), SHOP);
      for (const deviceType of ['android', 'ios', 'web']) {
        const texts = textsIn(renderer.payloadFor(vendor, { deviceType }));
        expect(texts.filter((text) => text === link).length).toBeGreaterThanOrEqual(2);
      }
    }
  });

  it('arrives over the own connection as it was sent', () => {
    const payload = createRenderer(sampleMessage(content), SHOP).connectionPayload({ deviceType: 'android' });
    expect(textsIn(payload).filter((text) => text === link)).toHaveLength(2);
  });
});

describe('an action on iOS', () => {
  it.each([
    ['shop://x', undefined, 4],
    ['shop://x', 0, 4],
    ['shop://x', 1, 5],
    ['SHOP://x', 3, 7],
    ['shop:x', 4, 4],
    ['https://shop.example', 1, 1],
    ['https://shop.example', undefined, undefined],
    [undefined, 2, 2],
  ])('with the link %s and options %s has options %s', (url, options, expected) => {
    const notification = { title: 'x', actions: [{ id: 'go', title: 'Go', url, options }] };
    const renderer = createRenderer(sampleMessage({ content: 'x', notification }), SHOP);
    const { actions } = (renderer.payloadFor('apns', { deviceType: 'ios' }) as unknown as { body: JsonObject }).body;
    expect((actions as JsonObject[])[0]?.options).toBe(expected);
    const connection = renderer.connectionPayload({ deviceType: 'iPhone' }).notification as { actions: JsonObject[] };
    expect(connection.actions[0]?.options).toBe(expected);
    const android = renderer.connectionPayload({ deviceType: 'android' }).notification as { actions: JsonObject[] };
    expect(android.actions[0]?.options).toBe(options);
  });
});
