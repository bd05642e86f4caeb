import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_GROUP_DEPTH,
  MAX_RULE_VALUES,
  MAX_RULES,
  SEGMENT_OPERATORS,
} from '@postrider/domain';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { fieldOf, SaysOfClass } from '../validation/field';
import type { ListReading, Reading } from '../validation/reading';

/** Keys that a group may lack. Null counts as absent. */
const OPTIONAL = ['id', 'all', 'any', 'none'];

const ONE_VALUE = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];
const DECIMAL = { oneOf: [{ type: 'number' }, { type: 'string', pattern: String.raw`^-?\d+(\.\d+)?$` }] };
const SOME_VALUES = { type: 'array', items: { anyOf: ONE_VALUE }, minItems: 1, maxItems: MAX_RULE_VALUES };
const CIRCLE = {
  type: 'object',
  title: 'Circle',
  description: 'a circle for nearBy; the radius is in metres',
  required: ['lat', 'lng', 'radius'],
  properties: { lat: DECIMAL, lng: DECIMAL, radius: DECIMAL },
  additionalProperties: false,
};
/** The values of a rule. The field and the operator decide which types are allowed. */
const VALUE = [...ONE_VALUE, SOME_VALUES, CIRCLE];

/** A condition on one field, for the API document; the segment language checks it. */
@SaysOfClass({ description: 'the allowed operators and values depend on the field' })
export class SegmentRule {
  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'launchTime, tags, tags.<tag>, an attribute',
  })
  name!: string;

  @ApiProperty({ enum: [...SEGMENT_OPERATORS] }) operator!: string;

  @ApiProperty({
    anyOf: VALUE,
    description: 'an array with include and not_include; a circle, or [lat, lng, radius], with nearBy',
  })
  value!: JsonValue;
}

/** A list of rules and groups, in the API document. */
function MembersField(description: string): PropertyDecorator {
  return (target, key) => {
    const oneOf = [{ $ref: getSchemaPath(SegmentRule) }, { $ref: getSchemaPath('SegmentGroup') }];
    ApiProperty({ type: 'array', items: { oneOf }, minItems: 1, required: false, description })(target, key);
  };
}

/** Rules and groups that are combined, for the API document; the segment language checks them. */
@ApiExtraModels(SegmentRule)
@SaysOfClass({
  description: `all keys that are present must hold; at most ${MAX_RULES} rules, ${MAX_GROUP_DEPTH} levels deep`,
  minProperties: 1,
  additionalProperties: false,
})
export class SegmentGroup {
  @MembersField('every rule must match') all?: (SegmentRule | SegmentGroup)[];
  @MembersField('at least one rule must match') any?: (SegmentRule | SegmentGroup)[];
  @MembersField('no rule may match') none?: (SegmentRule | SegmentGroup)[];
}

/** The rules of a saved segment, for the API document. */
@SaysOfClass({ additionalProperties: false })
export class SavedSegmentReference {
  @ApiProperty({ type: 'string', format: 'uuid', description: 'the id of a saved segment' }) id!: string;
}

const GROUPS = [SegmentGroup, SavedSegmentReference].map((type) => ({ $ref: getSchemaPath(type) }));

/** `segment`: a group of rules, or the id of a saved one. The segment language checks its content. */
export function IsRuleGroup(): PropertyDecorator {
  return (target, key) => {
    ApiExtraModels(SegmentGroup, SavedSegmentReference)(target.constructor);
    fieldOf({ name: 'isRuleGroup', read: readSegmentGroup, schema: { oneOf: GROUPS } })(target, key);
  };
}

/** `segment` of a saved segment: rules, never the id of another saved segment. That one can be changed or deleted. */
export function IsSavedGroup(): PropertyDecorator {
  return (target, key) => {
    fieldOf({ name: 'isSavedGroup', read: readSavedGroup, schema: { type: () => SegmentGroup } })(target, key);
  };
}

function readSavedGroup(value: unknown): ListReading<JsonObject> {
  const reading = readSegmentGroup(value);
  if (!('value' in reading) || !Object.hasOwn(reading.value, 'id')) return reading;
  return { problems: [{ path: '.id', message: 'must not be sent here; a saved segment consists of rules' }] };
}

/** `segment` in an answer. */
export function RuleGroupField(): PropertyDecorator {
  return (target, key) => {
    ApiExtraModels(SegmentGroup, SavedSegmentReference)(target.constructor);
    ApiProperty({ oneOf: GROUPS, required: false })(target, key);
  };
}

const TARGET = {
  type: 'object' as const,
  description: 'the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius]',
  // Under `properties`, a client in TypeScript could not write the circle beside an index signature without circles.
  patternProperties: {
    '^nearBy$': { anyOf: [CIRCLE, { type: 'array', items: DECIMAL, minItems: 3, maxItems: 3 }] },
  },
  additionalProperties: { anyOf: [...ONE_VALUE, SOME_VALUES] },
  minProperties: 1,
  maxProperties: MAX_RULES,
};

/**
 * `target`: fields and the values that they must equal; an array means one of its values. The segment language checks
 * the values.
 */
export function IsTarget(): PropertyDecorator {
  return fieldOf<JsonObject>({
    name: 'isTarget',
    read: (value) => (isJsonObject(value) ? { value } : { problem: 'must be an object' }),
    schema: TARGET,
  });
}

/** `target` in an answer. */
export function TargetField(): PropertyDecorator {
  return ApiProperty({ ...TARGET, selfRequired: false });
}

/** Reads `segment`. Null members of its groups are left out. */
function readSegmentGroup(value: unknown): Reading<JsonObject> {
  return isJsonObject(value) ? { value: withoutNulls(value) } : { problem: 'must be an object' };
}

function withoutNulls(group: JsonObject): JsonObject {
  const members = Object.entries(group).filter(([name, value]) => value !== null || !OPTIONAL.includes(name));
  return Object.fromEntries(
    members.map(([name, value]) => [name, Array.isArray(value) ? value.map(elementOf) : value]),
  );
}

function elementOf(element: JsonValue): JsonValue {
  return isJsonObject(element) ? withoutNulls(element) : element;
}
