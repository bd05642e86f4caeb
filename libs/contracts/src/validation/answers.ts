import type { ClassConstructor } from 'class-transformer';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';

const ANY_JSON = [
  { type: 'object', additionalProperties: true },
  { type: 'array', items: {} },
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
];

/** What a field of an answer declares, beside its type. */
interface AnswerField {
  /** The field is there, and may be null. */
  isNullable?: boolean;
  /** The field may be absent. */
  isOptional?: boolean;
  description?: string;
}

/** Decorators for the fields of answers. Answers are not validated; the API document describes them. */
function answerField(schema: object, { isNullable, isOptional, description }: AnswerField = {}): PropertyDecorator {
  return ApiProperty({
    ...schema,
    required: isOptional !== true,
    ...(isNullable === true ? { nullable: true } : {}),
    ...(description === undefined ? {} : { description }),
  });
}

/** Text. */
export function TextField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'string' }, field);
}

/** The id of one of our objects: a UUID. */
export function IdField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'string', format: 'uuid' }, field);
}

/** A moment, in ISO 8601. */
export function TimeField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'string', format: 'date-time' }, field);
}

/** A number of things: a whole number, 0 or more. */
export function CountField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'integer', minimum: 0 }, field);
}

/** A whole number, also below 0. */
export function IntegerField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'integer' }, field);
}

/** A number, whole or not. */
export function NumberField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'number' }, field);
}

/** `true` or `false`. */
export function FlagField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'boolean' }, field);
}

/** One of a few words. */
export function WordField(words: readonly string[], field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'string', enum: [...words] }, field);
}

/** A JSON object of the caller. */
export function JsonField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'object', additionalProperties: true }, field);
}

/** An object with fields of its own. */
export function ObjectField(type: () => unknown, field?: AnswerField): PropertyDecorator {
  return answerField({ type: () => type() }, field);
}

/** A list of objects with fields of their own. */
export function ListField(type: () => unknown, field?: AnswerField): PropertyDecorator {
  return answerField({ type: () => [type()] }, field);
}

/** Objects of one kind by name. */
export function ObjectsField(type: () => ClassConstructor<object>, field?: AnswerField): PropertyDecorator {
  return (target, key) => {
    ApiExtraModels(type())(target.constructor);
    answerField({ type: 'object', additionalProperties: { $ref: getSchemaPath(type()) } }, field)(target, key);
  };
}

/** A list of texts. */
export function TextsField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'array', items: { type: 'string' } }, field);
}

/** A list of a few words. */
export function WordsField(words: readonly string[]): PropertyDecorator {
  return answerField({ type: 'array', items: { type: 'string', enum: [...words] } });
}

/** A list of JSON objects without a declared form. */
export function JsonListField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'array', items: { type: 'object', additionalProperties: true } }, field);
}

/** Texts by name. */
export function TextsByNameField(field?: AnswerField): PropertyDecorator {
  return answerField({ type: 'object', additionalProperties: { type: 'string' } }, field);
}

const COUNT = { type: 'integer', minimum: 0 };
const COUNTS = { type: 'object', additionalProperties: COUNT };

/** Whole numbers by name; `isOfEach`: several such, by name. */
export function CountsField(field?: AnswerField & { isOfEach?: boolean }): PropertyDecorator {
  return answerField(field?.isOfEach === true ? { type: 'object', additionalProperties: COUNTS } : COUNTS, field);
}

/** Whole numbers under these names, each of which is present unless `areOptional`. */
export function CountsByNameField(
  names: readonly string[],
  field: AnswerField & { areOptional?: boolean } = {},
): PropertyDecorator {
  const properties = Object.fromEntries(names.map((name) => [name, COUNT]));
  const required = field.areOptional === true ? {} : { required: [...names] };
  return answerField({ allOf: [{ type: 'object', properties, ...required }] }, field);
}

/** Any JSON. */
export function AnyJsonField(field?: AnswerField): PropertyDecorator {
  return answerField({ anyOf: ANY_JSON }, field);
}

/** Where the next part of a list begins. Null at its end. */
export function NextCursorField(): PropertyDecorator {
  return TextField({ isNullable: true, description: 'the beginning of the next part; null at the end' });
}
