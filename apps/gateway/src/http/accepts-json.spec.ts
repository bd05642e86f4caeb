import { acceptsJson } from './accepts-json';

describe('a caller', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json; charset=utf-8',
    'text/html, application/*;q=0.1',
    'APPLICATION/JSON',
  ])('accepts JSON with %j', (accept) => {
    expect(acceptsJson(accept)).toBe(true);
  });

  it.each(['text/html', 'application/json;q=0', '*/*, application/json;q=0', 'constructor', 'toString', '__proto__'])(
    'does not accept JSON with %j',
    (accept) => {
      expect(acceptsJson(accept)).toBe(false);
    },
  );
});
