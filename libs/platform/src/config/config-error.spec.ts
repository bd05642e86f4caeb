import { loadConfig } from './config';

describe('a bad environment variable', () => {
  it.each(['mysql://root:hush@db/x', 'postgresl://u:hu/s@h@db:5432/x', 'redis+sentinel://:hush@a:1,b:2/main'])(
    'is named without the password in %s',
    (text) => {
      expect(() => loadConfig({ DATABASE_URL: text })).toThrow(
        /^DATABASE_URL is "[^"]*:\*\*\*@(db|a)[^"]*": expected a URL/,
      );
    },
  );

  it.each(['u:hush@db:5432/x', ':hush@db', 'u@corp:hush@db/x', 'postgresl://u@corp:hush@db/x'])(
    'is named without the password in %s, whose form is unusual',
    (text) => {
      expect(() => loadConfig({ DATABASE_URL: text })).toThrow(
        /^DATABASE_URL is "[^"]*:\*\*\*@db[^"]*": expected a URL/,
      );
    },
  );

  it('is named when it is missing', () => {
    expect(() => loadConfig({})).toThrow(/^DATABASE_URL is missing: expected a URL/);
  });
});
