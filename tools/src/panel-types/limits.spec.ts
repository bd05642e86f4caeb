import type { OpenAPI3 } from 'openapi-typescript';
import { limitsOf } from './limits';
import { typedParts } from './panel-types';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: {
    '/a': {
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Sent' } } } } },
    },
  },
  components: {
    schemas: {
      Answered: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
      Part: {
        type: 'object',
        properties: { sizes: { type: 'array', maxItems: 3, items: { type: 'number', minimum: 1 } } },
      },
      Sent: {
        type: 'object',
        required: ['name'],
        anyOf: [{ required: ['part'] }, { required: ['flag'] }],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 5, pattern: '^a' },
          part: { $ref: '#/components/schemas/Part' },
          flag: { oneOf: [{ type: 'boolean' }, { type: 'integer' }] },
          refused: { not: {} },
        },
      },
    },
  },
} as unknown as OpenAPI3;

describe('what is taken from the API document', () => {
  it('is the limits of what is sent, of parts too, and not of what is answered', () => {
    const [part = '', sent = ''] = limitsOf(DOCUMENT).split('\n\n');
    expect(part.replaceAll(/\s+/g, '')).toBe('exportconstPart={"sizes":{"maxItems":3,"items":{"minimum":1}}}asconst;');
    expect(sent.replaceAll(/\s+/g, '')).toBe(
      'exportconstSent={"name":{"minLength":1,"maxLength":5,"pattern":"^a"}}asconst;',
    );
    expect(limitsOf(DOCUMENT)).not.toContain('Answered');
  });

  it('is the fields of an object without the rules over several of them, and without fields that must not be sent', () => {
    const { Sent } = (typedParts(DOCUMENT).components?.schemas ?? {}) as Record<string, { properties: object }>;
    expect(Sent).not.toHaveProperty('anyOf');
    expect(Sent?.properties).toEqual({
      name: expect.anything(),
      part: expect.anything(),
      flag: { oneOf: [{ type: 'boolean' }, { type: 'integer' }] },
    });
  });
});
