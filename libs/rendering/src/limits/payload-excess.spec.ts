import { type MessageContent, PUSH_VENDORS, type VendorPayload } from '@postrider/domain';
import fc from 'fast-check';
import { createRenderer } from '../create-renderer';
import { LinkTracker } from '../links/tracked-link';
import type { Platform, RenderableApplication, RenderableMessage } from '../renderable';
import { sampleMessage, SHOP } from '../testing/samples';
import { measurePayload, VENDOR_LIMITS } from '../payloads/payload-size';
import { isSurelySmall, payloadExcesses } from './payload-excess';

const PLATFORMS: readonly Platform[] = ['android', 'ios', 'web'];
const INSTALLATION = '0199f000-0000-7000-8000-0000000000ff';

/** Text of every kind that is longer in JSON, with lengths around the limits. */
const text = fc
  .tuple(
    fc.constantFrom('x', '"', '\\', '\u0001', 'é', 'ش', '😀', '\u2028', '\n'),
    fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 700 }), fc.integer({ min: 300, max: 4_200 })),
  )
  .map(([unit, length]) => unit.repeat(Math.ceil(length / Buffer.byteLength(JSON.stringify(unit)))));
const short = fc
  .tuple(fc.constantFrom('x', '"', '\u0001', 'ش'), fc.nat(120))
  .map(([unit, times]) => unit.repeat(times));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });
const link = short.map((path) => `https://shop.example/${path}`);

const content: fc.Arbitrary<Partial<MessageContent>> = fc
  .record({
    content: maybe(text),
    alertText: maybe(text),
    data: maybe(text),
    trackId: maybe(short),
    useAsAlert: fc.boolean(),
    autoNotify: fc.boolean(),
    silent: fc.boolean(),
    trackLinks: fc.boolean(),
    extra: maybe(fc.record({ fancy: text })),
    notification: maybe(
      fc.record({
        title: maybe(short),
        body: maybe(text),
        clickUrl: maybe(link),
        mediaUrl: maybe(link.map((url) => `${url}.png`)),
        smallIcon: maybe(short),
        groupId: maybe(short),
        sound: maybe(short),
        ledColor: maybe(fc.constant('#80FF0000')),
        contentAvailable: maybe(fc.boolean()),
        actions: maybe(fc.array(fc.record({ id: short, title: short, url: link }), { maxLength: 4 })),
        extra: maybe(fc.record({ image: short, vibrate: fc.constant([1, 2]) })),
      }),
    ),
  })
  .map((given) => JSON.parse(JSON.stringify(given)) as Partial<MessageContent>);
const application: fc.Arbitrary<RenderableApplication> = fc.record({
  name: fc.oneof(
    fc.constant('Shop'),
    short.map((name) => `N${name}`),
  ),
  defaultAlertText: fc.oneof(
    fc.constant('You have a new message'),
    text.map((alert) => `N${alert.slice(0, 900)}`),
  ),
});
const tracker = new LinkTracker({
  secretKey: { reveal: () => 'a secret of the tests' },
  trackerUrl: 'https://links.shop.example/t',
  publicUrl: undefined,
});

/** Makes the links of a message different for each device. */
const trackOf = (message: RenderableMessage): ReturnType<LinkTracker['trackingOf']> =>
  tracker.trackingOf('shop', message);

/** The payloads that are sent, built for a device like in the delivery worker. */
function sentPayloads(message: RenderableMessage, owner: RenderableApplication): VendorPayload[] {
  const track = tracker.trackingOf('shop', message);
  const sent = track === null ? message.content : track(message.content, INSTALLATION);
  const renderer = createRenderer({ ...message, content: sent }, owner);
  return PUSH_VENDORS.flatMap((vendor) => PLATFORMS.map((deviceType) => renderer.payloadFor(vendor, { deviceType })));
}

describe('the size of a message before it is accepted', () => {
  it('is that of the payloads that are sent, to the byte: what is accepted no vendor finds too big', () => {
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(content, application, (given, owner) => {
        const message = sampleMessage(given);
        const excesses = payloadExcesses(message, owner, trackOf);
        const tooBig = sentPayloads(message, owner).filter(
          (payload) => measurePayload(payload) > VENDOR_LIMITS[payload.vendor],
        );
        const largest = (sizes: { vendor: string; bytes: number }[]): Record<string, number> =>
          Object.fromEntries(
            PUSH_VENDORS.map((vendor) => [
              vendor,
              Math.max(0, ...sizes.filter((size) => size.vendor === vendor).map(({ bytes }) => bytes)),
            ]),
          );
        expect(largest(excesses)).toEqual(
          largest(tooBig.map((payload) => ({ vendor: payload.vendor, bytes: measurePayload(payload) }))),
        );
        if (excesses.length > 0) refused += 1;
        else accepted += 1;
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(30);
    expect(refused).toBeGreaterThan(30);
  });

  it('needs no look only where nothing can be too big', () => {
    let small = 0;
    fc.assert(
      fc.property(content, application, (given, owner) => {
        const message = sampleMessage(given);
        fc.pre(isSurelySmall(message.content, owner));
        small += 1;
        for (const payload of sentPayloads({ ...message, content: { ...message.content, trackLinks: false } }, owner)) {
          expect(measurePayload(payload)).toBeLessThanOrEqual(VENDOR_LIMITS[payload.vendor]);
        }
      }),
      { numRuns: 150 },
    );
    expect(small).toBe(150);
    expect(isSurelySmall(sampleMessage({ content: 'Your parcel is on its way' }).content, SHOP)).toBe(true);
  });

  it('counts what JSON escapes, the alert, autoNotify, the texts of the application and tracked links', () => {
    const bytes = (given: Partial<MessageContent>, owner = SHOP): number => {
      const message = sampleMessage(given);
      return Math.max(0, ...payloadExcesses(message, owner, trackOf).map((one) => one.bytes));
    };
    expect(bytes({ content: '\u0001'.repeat(160), useAsAlert: true, autoNotify: true })).toBeGreaterThan(4_096);
    expect(bytes({ content: 'x'.repeat(3_000) })).toBe(0);
    expect(bytes({ content: 'x'.repeat(3_000), useAsAlert: true })).toBeGreaterThan(4_096);
    expect(bytes({ content: 'x'.repeat(3_000) }, { ...SHOP, defaultAlertText: 'x'.repeat(1_000) })).toBeGreaterThan(
      4_096,
    );
    const actions = Array.from({ length: 24 }, (_, n) => ({
      id: `${n}`,
      title: `${n}`,
      url: `https://shop.example/${n}`,
    }));
    expect(bytes({ notification: { title: 'T', actions } })).toBe(0);
    expect(bytes({ trackLinks: true, notification: { title: 'T', actions } })).toBeGreaterThan(4_096);
  });
});
