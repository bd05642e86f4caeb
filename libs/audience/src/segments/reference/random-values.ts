import fc from 'fast-check';
import { type JsonValue, normaliseText } from '@postrider/domain';

/** Devices and rules use the same values, so that they often match. Includes the awkward ones of each type. */
export const TEXTS = [
  '',
  '42',
  '-1.5',
  '042',
  '42.0',
  '1e3',
  'true',
  'null',
  'a',
  'B',
  'b',
  'Zoe',
  'café',
  '\u{1f600}',
  '\uff5e',
  '6h',
  `'; drop table installations; --`,
  '$.x',
  '[1]',
  '["a"]',
  '{"a":1}',
  '100%',
  '_',
  '\\',
  '"',
  'a,b',
  '{}',
  'line\nbreak',
  '$1',
  'x'.repeat(400),
];

/** Some are the same moment; some are near the border of a day or a year, or in the hour that DST skips. */
export const MOMENTS = [
  '2024-03-31',
  '2024-03-31T00:00',
  '2024-03-31T00:00:00.000Z',
  '2024-03-31T03:30:00+03:30',
  '2024-03-30T14:15-09:45',
  '2024-03-31T02:30:00',
  '2024-03-31T02:30:00+02:00',
  '2024-10-27T02:30:00+01:00',
  '2024-10-27T02:30:00+02:00',
  '2024-02-29',
  '2000-02-29T23:59:59.999999Z',
  '2024-12-31T23:59:59.5-15:59',
  '2025-01-01T15:58:59.5',
  '2024-06-01T12:00:00.000001Z',
  '2024-06-01T12:00:00.0000014Z',
  '2024-06-01T12:00:00.000000001Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00+15:59',
  '0001-01-01',
  '9999-12-31T23:59:00-15:59',
  '9999-12-31T23:59:59Z',
];

/** Similar to ISO 8601, but invalid. */
const NO_MOMENTS = [
  '2023-02-29',
  '1900-02-29',
  '2024-02-30',
  '2024-04-31',
  '2024-99-99',
  '2024-00-10',
  '0000-01-01',
  '2024-03-31 00:00',
  '2024-03-31T24:00',
  '2024-03-31T10:60',
  '2024-03-31T10:00:60Z',
  '2024-03-31T10:00+16:00',
  '2024-03-31T10:00+0200',
  '2024-03-31T10:00:00.1234567890Z',
  '2024-03-31T10:00:00.Z',
  '2024-03-31Z',
  '2024-03-31T10:00Z\n',
  '20240331',
  '2024-03-31T10:00 BC',
  'infinity',
  'now',
];

const NUMBERS = [0, 1, 2, 42, 41.999999, -1.5, 0.1, 0.30000000000000004, 1e21, -1e300, 5e-324, 1e-7, 9007199254740991];

/** A text that is often a moment, and otherwise similar to one. */
export const moment = fc.oneof(
  fc.constantFrom(...MOMENTS),
  fc
    .record({
      at: fc.date({ min: new Date('2024-03-30T00:00Z'), max: new Date('2024-04-02T00:00Z'), noInvalidDate: true }),
      length: fc.constantFrom(10, 16, 19, 21, 23),
      offset: fc.constantFrom('', 'Z', '+00:00', '-00:00', '+03:30', '-12:00', '+14:00', '+15:59', '-15:59'),
    })
    .map(({ at, length, offset }) => at.toISOString().slice(0, length) + (length > 10 ? offset : '')),
);

/** Any text that an attribute or a rule may have, including moments and texts that only look like them. */
export const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 4, arbitrary: moment },
  { weight: 2, arbitrary: fc.constantFrom(...NO_MOMENTS) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', maxLength: 5 })
      .map(normaliseText)
      .filter((drawn) => drawn !== null),
  },
);

/** Any number. */
export const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -3, max: 5 }));

/** Any single value of an attribute. */
export const scalar = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 3, arbitrary: number },
  { weight: 1, arbitrary: fc.boolean() },
);

/** Whatever JSON a device may have sent for an attribute. */
export const attribute: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonValue>(null, [], {}, [null], [['a']], [[42]], { a: 1 }, { a: 'a' }, [{ a: 1 }]),
  },
);

/** Names of attributes: with dots, of built-in fields, and with characters that break concatenated SQL. */
export const CUSTOM_NAMES = [
  'age',
  'plan',
  'purchase.count',
  'purchase.last',
  'a.b.c',
  'deviceModel',
  'locale',
  'timeZone',
  'realtime',
  'userId',
  'café',
  '\u{1f600}',
  `'; drop table users; --`,
  '$.x',
  '$1',
  'x"y',
  '{}',
  '0',
  '-1',
  'tags ',
  'toString',
  'hasOwnProperty',
];

/** Tags, including everything that PostgreSQL quotes in an array. */
export const TAGS = ['vip', 'news', 'plan', 'café', 'a.b', `'`, '{x}', 'a,b', 'NULL', '"', '\\', ' ', '\u{1f600}'];

/** Versions of systems and apps, also invalid semantic versions. */
export const VERSIONS = [
  '1',
  '1.0.0',
  '1.2',
  '1.2.0',
  '1.2.0-rc.1',
  '1.2.0-rc.11',
  '1.2.0-rc.2+build.7',
  '1.2.0-alpha',
  '1.2.1-alpha.beta',
  'v1.02',
  '9.2',
  '10.0',
  'Android 10',
  '10 (QP1A)',
  '14.4.1.2.3',
  '123456789012345678901234567890',
  '123456789012345678901234567890.1',
  '0',
  '0.0-0',
];

const POINTS: [number, number][] = [
  [35.6892, 51.389],
  [52.52, 13.405],
  [52.53, 13.41],
  [90, 0],
  [90, 135],
  [-90, -45],
  [89.9999, -179.5],
  [-89.99, 10],
  [0, 180],
  [0, -180],
  [-16.5, 179.99],
  [-16.5, -179.99],
  [65.1, -179.2],
  [0, 0],
  [1e-9, -1e-9],
];

/**
 * Degrees in whole billionths (a tenth of a millimetre), or next to nothing. So no point is a micrometre away from another:
 * a point on the edge of a circle is inside by such a margin, and whether one on the edge of the margin is inside, only the
 * last bits of a calculation tell.
 */
function degrees(limit: number): fc.Arbitrary<number> {
  return fc
    .double({ min: -limit, max: limit, noNaN: true })
    .map((value) => (Math.abs(value) < 1e-13 ? value : Math.round(value * 1e9) / 1e9));
}

/** A place on Earth, with the poles and the antimeridian among them. */
export const point = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...POINTS) },
    {
      weight: 2,
      arbitrary: fc.tuple(degrees(90), degrees(180)),
    },
  )
  .map(([lat, lng]) => ({ lat, lng }));
