import type { ErrorDetail } from '@postrider/domain';
import { readSend, readSendElement } from './read-send';
import { MOST_UNKNOWN_BYTES } from './unknown-fields';

function problemsOf(body: unknown): ErrorDetail[] {
  if (!Array.isArray(body)) return readSend(body, 'named', 10).problems;
  return body.flatMap((element, index) => readSendElement(element, index, 'named').problems);
}

function fieldsNamed(prefix: string, count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, n]));
}

describe('the unknown fields of a message', () => {
  const message = { user: 'ada', content: 'x' };

  it('are at most 100, in message, notification and buttons together, and one answer says which is too many', () => {
    const notification = { title: 't', ...fieldsNamed('n', 50), actions: [{ id: 'a', ...fieldsNamed('a', 25) }] };
    expect(problemsOf({ ...message, ...fieldsNamed('m', 25), notification })).toEqual([]);
    expect(problemsOf({ ...message, ...fieldsNamed('m', 26), notification })).toEqual([
      { path: 'm25', message: expect.stringMatching(/at most 100/) },
    ]);
    expect(problemsOf([message, { ...message, ...fieldsNamed('m', 20_000) }])).toEqual([
      { path: '[1].m100', message: expect.stringMatching(/at most 100/) },
    ]);
  });

  it('take at most 16 kB together, as JSON', () => {
    const text = (bytes: number): string => 'x'.repeat(bytes - 'fancy""'.length);
    expect(problemsOf({ ...message, fancy: text(MOST_UNKNOWN_BYTES) })).toEqual([]);
    const path = { path: 'fancy', message: expect.stringMatching(/at most 16384 bytes/) };
    expect(problemsOf({ ...message, fancy: text(MOST_UNKNOWN_BYTES + 1) })).toEqual([path]);
    expect(problemsOf({ ...message, fancy: '\u0001'.repeat(3_000) })).toEqual([path]);
    expect(problemsOf({ ...message, other: text(9_000), fancy: text(9_000) })).toEqual([path]);
  });

  it('are counted for each message of an array', () => {
    expect(problemsOf([message, message].map((one) => ({ ...one, ...fieldsNamed('m', 100) })))).toEqual([]);
  });
});
