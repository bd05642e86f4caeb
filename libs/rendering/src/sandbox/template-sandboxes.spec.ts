import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { TemplateFailure } from '../templates/template-failure';
import { ADA } from '../templates/testing/ada';
import { createPersonalMessage, type PersonalMessage } from '../personal/personal-message';
import type { PersonFacts } from '../templates/person-scope';
import { templateProblems } from '../personal/template-problems';
import { sampleMessage, SHOP } from '../testing/samples';
import { TEMPLATE_SANDBOXES } from './template-sandboxes';

jest.mock('./sandbox-file', () => ({
  SANDBOX_FILE: jest.requireActual<{ FAULTY_SANDBOX_FILE: string }>('@postrider/testing').FAULTY_SANDBOX_FILE,
}));

const NOW = new Date('2026-11-21T12:00:00Z');
/** The number of random templates, different in each run. */
const TEMPLATES = Number(process.env.PROPERTY_RUNS ?? 600);

function messageOf(content: string): PersonalMessage {
  const message = createPersonalMessage(sampleMessage({ content }), SHOP);
  if (message === null) throw new Error('not personal');
  return message;
}

/** People, some of whom have the attribute `isPoison`. */
function people(count: number, isPoison: (place: number) => boolean): PersonFacts[] {
  return Array.from({ length: count }, (_, place) => ({
    ...ADA,
    attributes: { place, isPoison: isPoison(place) },
  }));
}

async function textsOf(message: PersonalMessage, whom: readonly PersonFacts[]): Promise<(string | undefined)[]> {
  const contents = await message.contentsFor(whom, NOW);
  return contents.map((made) => (made instanceof TemplateFailure ? `${made.code}: ${made.message}` : made.content));
}

afterAll(() => TEMPLATE_SANDBOXES.end());

describe('an engine that makes mistakes of its own', () => {
  it.each([
    ['slugify', ['takes too long']],
    // A machine that is slow to give memory reaches the limit of time first.
    ['squish', ['takes too much memory', 'takes too long']],
    ['cgi_escape', ['takes too much memory']],
    ['strip_html', ['was ended']],
    ['xml_escape', ['was ended']],
  ])('costs the person whose text it was, and nobody else: %s', async (filter, reasons) => {
    const message = messageOf(`{% if user.isPoison %}{{ user.place | ${filter} }}{% endif %}for {{ user.place }}`);
    const texts = await textsOf(
      message,
      people(50, (place) => place === 0 || place === 40),
    );
    expect(texts.map((text, place) => (place === 0 || place === 40 ? '' : text))).toEqual(
      texts.map((_, place) => (place === 0 || place === 40 ? '' : `for ${place}`)),
    );
    const failures = reasons.map(
      (reason) => `template_failed: The template in content cannot be rendered for this recipient: ${reason}`,
    );
    for (const text of [texts[0], texts[40]]) expect(failures).toContain(text);
    expect(TEMPLATE_SANDBOXES.size).toBeLessThanOrEqual(2);
  });

  it('costs nobody a text if a kernel that is short of memory kills it: another one is asked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const whom = { ...ADA, attributes: { file: join(folder, 'killed') } };
    expect(await textsOf(messageOf('{{ user.file | uri_escape }}'), [whom])).toEqual(['again']);
    await rm(folder, { recursive: true });
  });

  it('is not asked again and again for a text that it never ends', async () => {
    const texts = await textsOf(
      messageOf('{{ user.place | strip_html | append: "x" }}'),
      people(500, () => true),
    );
    expect(texts[0]).toContain('was ended');
    expect(texts.at(-1)).toContain('was stopped too often');
  });

  it('holds up nothing of what this process does meanwhile', async () => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    turn();
    await textsOf(
      messageOf('{{ user.place | slugify }}'),
      people(1, () => true),
    );
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  it('has no more than two sandboxes, however many ask', async () => {
    const messages = Array.from({ length: 12 }, (_, place) => messageOf(`{% if true %}${place}{% endif %}`));
    const texts = messages.map((message) =>
      textsOf(
        message,
        people(3, () => false),
      ),
    );
    expect(TEMPLATE_SANDBOXES.size).toBeLessThanOrEqual(2);
    expect(await Promise.all(texts)).toEqual(messages.map((_, place) => Array(3).fill(`${place}`)));
    await TEMPLATE_SANDBOXES.end();
    expect(TEMPLATE_SANDBOXES.size).toBe(0);
  });
});

describe('templates of all kinds', () => {
  const edge = fc.oneof(
    fc.constantFrom(
      '9007199254740991',
      '9007199254740992',
      '9007199254740994',
      '-9007199254740992',
      '-9007199254740994',
      '1e308',
      '"1e308"',
      '"9007199254740992"',
      '"-0x10"',
      '0.1',
      '-1',
      '0',
      '99999999999999999999999',
      '-99999999999999999999999',
      'nil',
      'true',
      'empty',
      'blank',
      '""',
      'big',
      'low',
      'endless',
      'nothing',
      'user',
      'user.list',
      'user.number',
      'l',
      's',
      'forloop',
      'forloop.index',
    ),
    fc.integer().map(String),
    fc.double({ noNaN: true }).map((number) => number.toLocaleString('en', { useGrouping: false })),
  );
  const range = fc.tuple(edge, edge).map(([low, high]) => `(${low}..${high})`);
  const operand = fc.oneof({ weight: 3, arbitrary: edge }, range);
  const name = fc.constantFrom(
    ...'append prepend capitalize upcase strip strip_newlines newline_to_br normalize_whitespace remove remove_first remove_last'.split(
      ' ',
    ),
    ...'replace replace_first replace_last truncate truncatewords number_of_words split slice escape escape_once url_encode'.split(
      ' ',
    ),
    ...'url_decode base64_encode base64_decode sha256 hmac_sha256 abs at_least at_most ceil floor round plus minus times'.split(
      ' ',
    ),
    ...'divided_by modulo to_integer join first last reverse sort sort_natural size map sum compact concat push pop shift'.split(
      ' ',
    ),
    ...'unshift uniq array_to_sentence_string default json raw date number currency percent'.split(' '),
  );
  const filters = fc
    .array(fc.tuple(name, fc.array(operand, { maxLength: 3 })), { maxLength: 4 })
    .map((all) => all.map(([filter, args]) => ` | ${filter}${args.length > 0 ? `: ${args.join(', ')}` : ''}`).join(''));
  const value = fc.tuple(operand, filters).map(([first, rest]) => first + rest);
  const compare = fc
    .tuple(operand, fc.constantFrom('==', '!=', '<', '>', '<=', '>=', 'contains', 'and', 'or'), operand)
    .map((parts) => parts.join(' '));
  const { text } = fc.letrec<{ text: string }>((tie) => {
    const inner = tie('text');
    return {
      text: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        value.map((made) => `{{ ${made} }}`),
        fc
          .tuple(operand, edge, edge, inner)
          .map((p) => `{% for i in ${p[0]} limit: ${p[1]} offset: ${p[2]} %}${p[3]}{% endfor %}`),
        fc
          .tuple(operand, inner)
          .map(([over, body]) => `{% for l in ${over} reversed %}${body}{% else %}none{% endfor %}`),
        fc.tuple(fc.constantFrom('l', 's', 'big'), value).map(([to, made]) => `{% assign ${to} = ${made} %}`),
        fc.tuple(compare, inner).map(([condition, body]) => `{% if ${condition} %}${body}{% endif %}`),
        fc.tuple(operand, operand, inner).map((p) => `{% case ${p[0]} %}{% when ${p[1]} %}${p[2]}{% endcase %}`),
        fc.array(operand, { minLength: 1, maxLength: 3 }).map((all) => `{% cycle ${all.join(', ')} %}`),
        inner.map((body) => `{% capture s %}${body}{{ s }}{% endcapture %}{{ s }}`),
        fc.tuple(inner, inner).map((both) => both.join('')),
        fc
          .integer({ min: 1, max: 20 })
          .map((times) => '{% assign l = l | push: l %}{% assign s = s | append: s %}'.repeat(times)),
        fc.string({ maxLength: 12 }),
      ),
    };
  });
  const SETS =
    `{% assign big = 9007199254740991 %}{% assign low = -9007199254740992 %}{% assign endless = ${'9'.repeat(400)} %}` +
    '{% assign l = user.list %}{% assign s = user.name %}';
  const person = { ...ADA, attributes: { list: ['a', 'b', [1, 2]], number: 9007199254740993, name: 'Ada' } };

  it('are refused or come to something or to nothing, many of them, and the process lives', async () => {
    const texts = fc.sample(text, TEMPLATES).map((made) => SETS + made);
    const came = { texts: 0, failures: 0 };
    const reasons = new Set<string>();
    for (let from = 0; from < texts.length; from += 100) {
      const some = texts.slice(from, from + 100);
      for (const made of await Promise.all(some.map((content) => messageOf(content).contentsFor([person], NOW)))) {
        if (made[0] instanceof TemplateFailure) reasons.add(made[0].message);
        came[made[0] instanceof TemplateFailure ? 'failures' : 'texts'] += 1;
      }
    }
    expect(came.texts).toBeGreaterThan(TEMPLATES / 10);
    expect(came.failures).toBeGreaterThan(TEMPLATES / 10);
    const stopped = /takes too (?:long|much memory)|was ended|too often/;
    expect([...reasons].filter((reason) => stopped.test(reason))).toEqual([]);
  });

  it('are said to be none when they are accepted, and hold up nothing', async () => {
    const texts = fc.sample(text, 200).concat('{{ x | nothing }}', '{% if %}', '{{ x }}');
    const contents = texts.map((made, place) => ({
      content: sampleMessage({ content: `{{ x }}${made}` }).content,
      path: `[${place}]`,
    }));
    const refused = (await templateProblems(contents)).map(({ path }) => path);
    expect(refused).toEqual(expect.arrayContaining(['[200].content', '[201].content']));
    expect(refused).not.toContain('[202].content');
  });
});
