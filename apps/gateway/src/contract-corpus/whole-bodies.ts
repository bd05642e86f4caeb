import type { CorpusCase, Sample } from './corpus-case';

const TEXTS = [
  '',
  'null',
  '[]',
  '{}',
  '"text"',
  '1',
  'true',
  '{',
  '{"a":1,"a":2}',
  '{"__proto__":1}',
  '\ufeff{}',
  '[[]]',
  '[null]',
];

/** What is no body of the operation at all. */
export function wholeBodies({ operation, url, body }: Sample): CorpusCase[] {
  const texts = [...TEXTS, `[${JSON.stringify(body)}]`].map((text, at): CorpusCase => ({
    operation,
    url,
    name: `body: ${at === TEXTS.length ? 'in a list' : JSON.stringify(text)}`,
    body: text,
  }));
  const types = ['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded'].map(
    (type): CorpusCase => ({
      operation,
      url,
      name: `body: as ${type}`,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    }),
  );
  return [...texts, ...types, { operation, url, name: 'body: none' }];
}
