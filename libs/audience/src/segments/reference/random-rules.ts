import fc from 'fast-check';
import { type JsonObject, type JsonValue, MAX_RULES } from '@postrider/domain';
import { CUSTOM_NAMES, moment, number, point, scalar, TAGS, text, VERSIONS } from './random-values';
import { greatCircleMetres } from './evaluate-rules';

const EQUAL = ['equal_to', 'not_equal'];
const ORDER = ['lesser_than', 'lesser_equals', 'greater_than', 'greater_equals'];
const ARRAY = ['include', 'not_include'];
const TIME = ['before', 'after'];

type RandomRule = fc.Arbitrary<JsonObject>;

function rule(name: fc.Arbitrary<string>, operators: string[], value: fc.Arbitrary<JsonValue>): RandomRule {
  return fc.record({ name, operator: fc.constantFrom(...operators), value }, { noNullPrototype: true });
}

function arrayOf(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(value, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(value, { minLength: 9, maxLength: 30 }) },
  );
}

const age = fc.oneof(
  fc.constantFrom(
    '6h',
    '0h',
    '6.00000001h',
    '30m',
    '0.5d',
    '2d',
    '36500d',
    '99999999999999999999h',
    `${'9'.repeat(400)}d`,
  ),
  fc.integer({ min: 0, max: 200 }).map((hours) => `${hours}h`),
);
const momentOrAge = fc.oneof(age, moment);

/** Rules on fields for which the type of the value decides. */
function typed(name: fc.Arbitrary<string>): RandomRule {
  return fc.oneof(
    rule(name, EQUAL, scalar),
    rule(name, ARRAY, arrayOf(scalar)),
    rule(name, ORDER, fc.oneof(text, number, moment)),
    rule(name, TIME, momentOrAge),
  );
}

const version = fc.constantFrom(...VERSIONS);
const count = fc.oneof(
  number,
  fc.constantFrom('2', '2.0', '1.5', '-0.5', '42', '99999999999999999999', '-99999999999999999999.5'),
);
const times = fc.constantFrom('launchTime', 'installDate');
const versions = fc.constantFrom('osVersion', 'clientVersion');

/** The edge of some circles passes through another point of the population. */
const place: fc.Arbitrary<JsonValue> = fc
  .record({
    centre: point,
    edge: point,
    metres: fc.constantFrom(null, null, 0, 1, 999.5, 1e5, 1e6, 5e6, 1.2e7, 2.1e7),
    asArray: fc.boolean(),
  })
  .map(({ centre, edge, metres, asArray }) => {
    const toEdge = greatCircleMetres(centre, edge);
    const radius = metres ?? (toEdge < 1.9e7 ? toEdge : 3e6);
    return asArray ? [centre.lat, centre.lng, radius] : { ...centre, radius };
  });

const anyRule: RandomRule = fc.oneof(
  { weight: 6, arbitrary: typed(fc.constantFrom(...CUSTOM_NAMES)) },
  { weight: 3, arbitrary: typed(fc.constantFrom(...TAGS).map((tag) => `tags.${tag}`)) },
  { weight: 1, arbitrary: rule(times, TIME, momentOrAge) },
  { weight: 1, arbitrary: rule(times, [...EQUAL, ...ORDER], moment) },
  { weight: 1, arbitrary: rule(times, ARRAY, arrayOf(moment)) },
  { weight: 1, arbitrary: rule(versions, [...EQUAL, ...ORDER], version) },
  { weight: 1, arbitrary: rule(versions, ARRAY, arrayOf(version)) },
  { weight: 1, arbitrary: rule(fc.constant('launchCount'), [...EQUAL, ...ORDER], count) },
  { weight: 1, arbitrary: rule(fc.constant('launchCount'), ARRAY, arrayOf(count)) },
  { weight: 1, arbitrary: rule(fc.constant('tags'), EQUAL, fc.constantFrom(...TAGS)) },
  { weight: 1, arbitrary: rule(fc.constant('tags'), ARRAY, arrayOf(fc.constantFrom(...TAGS))) },
  { weight: 1, arbitrary: rule(fc.constant('deviceType'), EQUAL, fc.constantFrom('android', 'iOS', 'WEB', 'x')) },
  { weight: 1, arbitrary: rule(fc.constant('deviceType'), ARRAY, arrayOf(fc.constantFrom('Android', 'ios', 'x'))) },
  { weight: 1, arbitrary: rule(fc.constant('online'), EQUAL, fc.boolean()) },
  { weight: 1, arbitrary: rule(fc.constant('online'), ARRAY, arrayOf(fc.boolean())) },
  { weight: 3, arbitrary: rule(fc.constant('nearBy'), ARRAY, place) },
);

function groupOf(element: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const list = fc.array(element, { minLength: 1, maxLength: 3 });
  return fc
    .record({ all: list, any: list, none: list }, { requiredKeys: [], noNullPrototype: true })
    .filter((group) => Object.keys(group).length > 0);
}

/** Several rules about one field. */
const sameField: fc.Arbitrary<JsonObject> = fc
  .constantFrom(...CUSTOM_NAMES, ...TAGS.map((tag) => `tags.${tag}`))
  .chain((name) => groupOf(typed(fc.constant(name))));

/** Groups to depth 3, most of them with one rule, so that other rules do not hide a difference. */
const segment: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: anyRule.map((only) => ({ all: [only] })) },
  { weight: 1, arbitrary: groupOf(anyRule) },
  { weight: 2, arbitrary: sameField },
  {
    weight: 1,
    arbitrary: groupOf(fc.oneof(anyRule, groupOf(fc.oneof(anyRule, groupOf(anyRule))))).filter(
      (group) => JSON.stringify(group).split('"operator"').length <= MAX_RULES,
    ),
  },
);

/** Equality with one value or one of several. */
const target: fc.Arbitrary<JsonObject> = fc
  .array(
    anyRule.filter(({ operator }) => operator === 'equal_to' || operator === 'include'),
    { minLength: 1, maxLength: 2 },
  )
  .map((rules) => Object.fromEntries(rules.map(({ name, value }) => [name as string, value ?? null])));

/** What a request may ask: a segment, a target or both. */
export const rules: fc.Arbitrary<{ target?: JsonObject; segment?: JsonObject }> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ segment }) },
  { weight: 1, arbitrary: fc.record({ target }) },
  { weight: 1, arbitrary: fc.record({ segment, target }) },
);
