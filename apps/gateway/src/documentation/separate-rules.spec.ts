import Ajv2020 from 'ajv/dist/2020';
import { separateRules } from './separate-rules';

const CONTENT_OR_SILENT = {
  type: 'object',
  required: ['user'],
  properties: { user: { type: 'string' }, content: { type: 'string' }, notification: { type: 'object' } },
  anyOf: [
    { required: ['content'] },
    {
      required: ['notification'],
      properties: { notification: { not: { anyOf: [{ required: ['title'] }, { required: ['body'] }] } } },
    },
  ],
};

const ONE_OF_TWO = {
  type: 'object',
  properties: { userId: { type: 'string' }, installationId: { type: 'string' } },
  oneOf: [{ required: ['userId'] }, { required: ['installationId'] }],
};

describe('the schemas of the API document', () => {
  it.each([
    ['at least one field', CONTENT_OR_SILENT],
    ['exactly one field', ONE_OF_TWO],
    [
      'both',
      { ...CONTENT_OR_SILENT, anyOf: undefined, allOf: [{ anyOf: CONTENT_OR_SILENT.anyOf }, ONE_OF_TWO.oneOf[0]] },
    ],
  ])('take the same values after the rule over several fields left the type: %s', (_name, given) => {
    const schema = JSON.parse(JSON.stringify(given)) as object;
    const separated = separateRules(schema);
    expect(Object.keys(separated)).toEqual(expect.not.arrayContaining(['anyOf', 'oneOf', 'allOf']));
    const [before, after] = [schema, separated].map((one) => new Ajv2020({ strict: false }).compile(one));
    const values = [
      {},
      { user: 'ada' },
      { user: 'ada', content: 'Hi' },
      { content: 'Hi' },
      { user: 'ada', notification: {} },
      { user: 'ada', notification: { title: 'Hi' } },
      { user: 'ada', notification: { body: 'Hi' }, content: 'Hi', userId: 'ada' },
      { userId: 'ada' },
      { installationId: 'x' },
      { userId: 'ada', installationId: 'x' },
      { user: 'ada', userId: 'ada', notification: {} },
    ];
    expect(values.map((value) => after?.(value))).toEqual(values.map((value) => before?.(value)));
    expect(new Set(values.map((value) => after?.(value))).size).toBe(2);
  });

  it('name the fields that a rule requires', () => {
    expect(separateRules(ONE_OF_TWO)).toMatchObject({
      if: { oneOf: [{ properties: { userId: {} } }, { properties: { installationId: {} } }] },
      else: { not: {} },
    });
  });

  it('keep choices between whole types, and rules without fields beside them', () => {
    const choice = { oneOf: [{ $ref: '#/a' }, { $ref: '#/b' }] };
    const value = { properties: { a: { oneOf: [{ type: 'string' }, { type: 'number' }] } } };
    expect(separateRules([choice, value])).toEqual([choice, value]);
  });

  it('write a slash in a pattern as other languages do', () => {
    expect(separateRules({ type: 'string', pattern: /^https:\/\/\S+$/.source })).toEqual({
      type: 'string',
      pattern: '^https://\\S+$',
    });
  });
});
