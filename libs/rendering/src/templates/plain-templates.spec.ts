import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { ENGINE } from './liquid-engine';
import { plainTemplate } from './plain-template';
import { parseTemplate, renderParts } from './template';
import { ADA, render, scopeOf } from './testing/ada';

describe('the quick way through plain templates', () => {
  const names = [
    'name',
    'points',
    'city',
    'nothing',
    'purchase',
    'count',
    'hobbies',
    'isGuest',
    'empty',
    'id',
    'plan',
    'vip',
    'model',
    'nested',
    'a',
    'length',
    '0',
    'toString',
  ];
  const roots = ['user', 'device', 'tags', 'message', 'promoCode', 'nobody'];
  const filters = ['', ' | upcase', ' | downcase', ' | capitalize', ' | default: "none"', ' | default: "" | upcase'];
  const output = fc
    .tuple(
      fc.constantFrom(...roots),
      fc.array(fc.constantFrom(...names), { maxLength: 3 }),
      fc.constantFrom(...filters),
    )
    .map(([root, path, filter]) => `{{ ${root}${path.map((name) => `["${name}"]`).join('')}${filter} }}`);
  const text = fc.string().filter((plain) => !/[{}%]/.test(plain));

  it.each([
    '{{ user["id"]["length"] }}',
    '{{ user.id["0"] }}',
    '{{ user["hobbies"].first }}',
    '{{ user.hobbies.size }}',
    '{{- user.name -}}',
    '{{ user.name | truncate: 5 }}',
    '{{ user.name | default: "\\n" }}',
    '{{ user.name | default: other }}',
    '{{ empty }}{{ true }}{{ nil }}',
    '{{ user.name',
    '{{{ user.name }}}',
    '{% if user.name %}x{% endif %}',
  ])('is left to liquidjs: %s', (template) => {
    expect(plainTemplate(template)).toBeNull();
  });

  const plain = (template: string): NonNullable<ReturnType<typeof plainTemplate>> => {
    const read = plainTemplate(template);
    if (read === null) throw new Error(`not plain: ${template}`);
    return read;
  };
  it.each([
    "Hi {{user.name}}, }} { %} {{ promoCode | default: 'none' | upcase }}!",
    '{{ user.purchase.count }}{{\tuser["purchase.count"]\n}}',
    '{{ user }}{{ device["model"] | downcase }}',
  ])('says what liquidjs says of what it reads: %s', (template) => {
    const { globals, attributes } = parseTemplate(template);
    expect(plain(template)).toMatchObject({ globals, attributes });
    expect(plain(template).render(scopeOf())).toBe(renderParts(ENGINE.parse(template), scopeOf()));
  });

  it('writes no more than a text may have', () => {
    const person = { ...ADA, attributes: { long: 'x'.repeat(20_000), lists: [[[Array(30_000).fill('')]]] } };
    expect(() => plain('{{ user.long }}').render(scopeOf(person))).toThrow('characters');
    expect(() => plain('{{ user.lists }}').render(scopeOf(person))).toThrow('steps');
  });

  it('gives what liquidjs gives', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(output, text), { minLength: 1, maxLength: 6 }), (pieces) => {
        const template = pieces.join('');
        const parts = ENGINE.parse(template);
        const isOfLists = /"(?:length|0)"/.test(template);
        fc.pre(!isOfLists);
        expect(plain(template).render(scopeOf())).toBe(renderParts(parts, scopeOf()));
        const [quick, slow] = [scopeOf(ADA, true), scopeOf(ADA, true)];
        plain(template).render(quick);
        renderParts(parts, slow);
        expect(quick.missing).toEqual(slow.missing);
      }),
      { numRuns: 500 },
    );
  });

  it('and our engine gives what an unguarded liquidjs gives', () => {
    const plain = new Liquid();
    const scope = { n: 5, s: 'Some text, here', list: ['b', 'a', 'c'], o: { p: 'q' } };
    for (const template of [
      '{% for x in list %}{{ forloop.index }}{{ x }}{% unless forloop.last %},{% endunless %}{% endfor %}',
      '{{ list | sort | reverse | join: "-" | upcase }}',
      '{% if n > 3 and s contains "text" %}{{ s | replace: "text", o.p | truncatewords: 2 }}{% endif %}',
      '{% for i in (1..n) %}{% if i == 2 %}{% continue %}{% endif %}{% cycle "a", "b" %}{{ i }}{% endfor %}',
      '{{ s | split: ", " | first | append: "!" | slice: 0, 4 }}{{ n | minus: 2 | times: 3 | modulo: 4 }}',
    ]) {
      const person = { ...ADA, attributes: scope };
      const ours = `{% assign n = user.n %}{% assign s = user.s %}{% assign list = user.list %}{% assign o = user.o %}${template}`;
      expect(render(ours, person)).toBe(plain.parseAndRenderSync(template, scope));
    }
  });
});
