import fc from 'fast-check';
import { HOUR_MS, type JsonObject } from '@postrider/domain';
import { type ReferenceDevice, referenceMoment } from './evaluate-rules';
import { attribute, CUSTOM_NAMES, moment, point, TAGS, text, VERSIONS } from './random-values';

/** The present time for rules about time. */
export const NOW = new Date('2024-04-01T12:00:00.250Z');

const attributes: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(fc.constantFrom(...CUSTOM_NAMES), attribute), { maxLength: 8 })
  .map((entries) => Object.fromEntries(entries));

const registration: fc.Arbitrary<JsonObject> = fc
  .record({
    deviceModel: fc.option(text),
    locale: fc.option(fc.constantFrom('en-US', 'fa', 'a', 'true', '42')),
    timeZone: fc.option(fc.constantFrom('Europe/Berlin', 'Asia/Tehran', 'b')),
    realtime: fc.boolean(),
    further: fc.option(attributes, { freq: 2 }),
  })
  .map(({ further, ...known }) => ({ ...further, ...known }));

const time = fc.oneof(
  fc.integer({ min: -200, max: 200 }).map((hours) => new Date(NOW.getTime() + hours * HOUR_MS)),
  fc.constantFrom(0, 1, -1).map((millis) => new Date(NOW.getTime() - 6 * HOUR_MS + millis)),
  moment.map((iso) => new Date(Math.floor(Number(referenceMoment(iso)) / 1000))),
);

const tags = fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 5 });

/** A user: the data that their devices share. */
const user = fc.record({
  userId: fc.uuid(),
  tags,
  tagValues: fc.dictionary(fc.constantFrom(...TAGS), text, { maxKeys: 4, noNullPrototype: true }),
  userAttributes: fc.oneof(attributes, fc.constant({})),
});

const deviceOf = (owner: typeof user extends fc.Arbitrary<infer T> ? T : never): fc.Arbitrary<ReferenceDevice> =>
  fc.record({
    userId: fc.constant(owner.userId),
    userAttributes: fc.constant(owner.userAttributes),
    tagValues: fc.constant(owner.tagValues),
    // A key/value tag is a tag, so its key is among them.
    tags: fc.constant([...new Set([...owner.tags, ...Object.keys(owner.tagValues)])]),
    deviceType: fc.option(fc.constantFrom('android', 'ios', 'web', 'tv')),
    osVersion: fc.option(fc.constantFrom(...VERSIONS, 'unknown', '')),
    clientVersion: fc.option(fc.constantFrom(...VERSIONS, 'beta')),
    launchCount: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(42, 9007199254740991)),
    launchTime: time,
    installDate: time,
    isOnline: fc.boolean(),
    location: fc.option(point, { freq: 4 }),
    attributes: fc.oneof(attributes, fc.constant({})),
    registration,
  });

/** Devices of one user. */
export const household = user.chain((owner) => fc.array(deviceOf(owner), { minLength: 1, maxLength: 3 }));
