import type { OpenAPIObject } from '@nestjs/swagger';
import { toOpenApi30 } from './open-api-30';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const INFO = { title: 'Test', version: '1', license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } };
const FLAG = { oneOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }, { type: 'string', enum: ['true'] }] };

const documentOf = (schemas: object): OpenAPIObject => ({
  openapi: '3.1.0',
  info: INFO,
  paths: {},
  components: { schemas: schemas as Schemas },
});
const written = (schemas: object): Schemas => toOpenApi30(documentOf(schemas)).components?.schemas ?? {};
const field = (schema: object): unknown => {
  const { Made } = written({ Made: { type: 'object', properties: { field: schema } }, Other: OTHER }) as {
    Made?: { properties: { field: unknown } };
  };
  return Made?.properties.field;
};
const OTHER = { type: 'object', required: ['id', 'kind'], properties: { id: { type: 'string' }, kind: {} } };
const TO_OTHER = { $ref: '#/components/schemas/Other' };

describe('the API document as OpenAPI 3.0', () => {
  it('takes the first way to write a value that may be written in several', () => {
    expect(field({ ...FLAG, description: 'on or off' })).toEqual({ type: 'boolean', description: 'on or off' });
    expect(field({ oneOf: [{ type: 'string', format: 'date-time' }, { type: 'number' }] })).toEqual({
      type: 'string',
      format: 'date-time',
    });
  });

  it('takes any value for a value of different types', () => {
    expect(field({ description: 'any', anyOf: [{ type: 'string' }, { type: 'number' }] })).toEqual({
      description: 'any',
    });
    expect(field({ oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] })).toEqual({});
    expect(field({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } })).toEqual({
      type: 'array',
      items: {},
    });
  });

  it('says of null that it is nullable, and requires no field that may be null', () => {
    expect(field({ type: ['string', 'null'], enum: ['a', null] })).toEqual({
      type: 'string',
      nullable: true,
      enum: ['a'],
    });
    expect(field({ anyOf: [TO_OTHER, { type: 'null' }] })).toEqual({
      type: 'object',
      nullable: true,
      allOf: [TO_OTHER],
    });
    const properties = { name: { type: ['string', 'null'] }, id: { type: 'string' } };
    expect(written({ Made: { type: 'object', required: ['name', 'id'], properties } }).Made).toMatchObject({
      required: ['id'],
    });
  });

  it('says `nullable` only beside a type, where alone it counts', () => {
    const anything = { type: ['string', 'number', 'null'] };
    expect(field(anything)).toEqual({});
    expect(field({ type: 'object', additionalProperties: anything })).toEqual({
      type: 'object',
      additionalProperties: {},
    });
    expect(written({ Made: { type: 'object', required: ['field'], properties: { field: anything } } }).Made).toEqual({
      type: 'object',
      properties: { field: {} },
    });
  });

  it('has no example that is a list in place of one object', () => {
    const to = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const schemas = {
      Body: { oneOf: [TO_OTHER, to('Others')] },
      Other: OTHER,
      Others: { type: 'array', items: TO_OTHER },
    };
    const examples = { one: { value: { id: 'a' } }, several: { value: [{ id: 'a' }] } };
    const body = (name: string): object => ({ content: { 'application/json': { schema: to(name), examples } } });
    const requests = { One: body('Body'), List: body('Others') };
    const document = { ...documentOf(schemas), paths: requests } as unknown as OpenAPIObject;
    expect(toOpenApi30(document).paths).toMatchObject({
      One: { content: { 'application/json': { examples: { one: examples.one } } } },
      List: { content: { 'application/json': { examples } } },
    });
    expect(JSON.stringify(toOpenApi30(document).paths.One)).not.toContain('several');
  });

  it('refers to an object that has a text beside it', () => {
    expect(field({ description: 'the other one', allOf: [TO_OTHER] })).toEqual(TO_OTHER);
  });

  it('gives an object that is one of several the fields of all, and requires what all require', () => {
    const id = { description: 'its own', type: 'string' };
    const one = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, size: { type: 'number' }, id },
    };
    const union = { oneOf: [{ $ref: '#/components/schemas/One' }, TO_OTHER] };
    const schemas = written({ One: one, Other: OTHER, Body: union, Holder: { type: 'array', items: union } });
    const merged = {
      type: 'object',
      required: ['kind'],
      properties: { kind: {}, size: { type: 'number' }, id },
    };
    expect(schemas.Body).toEqual({ ...merged, title: 'Body', description: 'The fields of One, or of Other.' });
    expect(schemas.Holder).toEqual({ type: 'array', items: { $ref: '#/components/schemas/OneOrOther' } });
    expect(schemas.OneOrOther).toMatchObject(merged);
  });

  it('has 64 bits for a whole number that may not fit 32', () => {
    expect(field({ type: 'integer', minimum: 0 })).toEqual({ type: 'integer', minimum: 0, format: 'int64' });
    expect(field({ type: 'integer', maximum: 1000 })).toEqual({ type: 'integer', maximum: 1000, format: 'int32' });
  });

  it('leaves out rules, and fields that are refused', () => {
    const properties = { dryRun: { not: {} }, user: { type: 'string' } };
    const Made = {
      type: 'object',
      additionalProperties: true,
      properties,
      if: { required: ['user'] },
      else: { not: {} },
    };
    expect(written({ Made })).toEqual({ Made: { type: 'object', properties: { user: { type: 'string' } } } });
  });

  it('names nothing as Go names the function that makes another schema, and no field as the question for another', () => {
    const token = { type: 'object', properties: { id: { type: 'string' } } };
    const schemas = {
      Token: token,
      NewToken: token,
      List: { type: 'array', items: { $ref: '#/components/schemas/NewToken' } },
    };
    expect(written(schemas)).toMatchObject({
      CreatedToken: token,
      List: { items: { $ref: '#/components/schemas/CreatedToken' } },
    });
    const trouble = { hasTrouble: { type: 'boolean' }, trouble: { type: ['string', 'null'] } };
    const Health = { type: 'object', required: ['hasTrouble', 'trouble'], properties: trouble };
    expect(written({ Health }).Health).toMatchObject({ required: ['hasTrouble', 'trouble'] });
  });
});
