import { ConfigError } from './config-error';
import { loadConfig } from './config';
import { parseDatabaseUrl } from './database-url';

describe('DATABASE_URL', () => {
  it.each([
    ['postgres://u:p@db/x', ['postgres://u:p@db/x'], false],
    [
      'postgresql://u:p%40ss@[::1]:5433/x?sslmode=no-verify',
      ['postgres://u:p%40ss@[::1]:5433/x?sslmode=no-verify'],
      false,
    ],
    ['postgres://db', ['postgres://db'], false],
    ['postgres://u@%2Fvar%2Frun%2Fpostgresql/x', ['postgres://u@%2Fvar%2Frun%2Fpostgresql/x'], false],
    ['postgres:///x?host=%2Fvar%2Frun', ['postgres:///x?host=%2Fvar%2Frun'], false],
    ['postgres://u:p@db/x?target_session_attrs=primary', ['postgres://u:p@db/x'], true],
    [
      'postgres://u:p@one:5432,two,[fd00::3]:5433/x?target_session_attrs=read-write&sslmode=require',
      [
        'postgres://u:p@one:5432/x?sslmode=require',
        'postgres://u:p@two/x?sslmode=require',
        'postgres://u:p@[fd00::3]:5433/x?sslmode=require',
      ],
      true,
    ],
    ['postgres://one,two/x', ['postgres://one/x', 'postgres://two/x'], true],
  ])('is read: %s', (text, servers, mustBeWritable) => {
    expect(parseDatabaseUrl(text)).toEqual({ servers, mustBeWritable, connectTimeoutMs: 5_000 });
  });

  it.each([
    'postgres://',
    'postgres://u:p@/x',
    'postgres://u:p@one,/x',
    'postgres://u:p@db:70000/x',
    'postgres://u:p@db:0/x',
    'postgres://u:p@db:port/x',
    'postgres://u:pa/ss@db/x',
    'postgres://u:pa#ss@db/x',
    'postgres://u:100%@db/x',
    'postgres://u:p@db one/x',
    'postgres://u:p@db/%zz',
    'postgres://u:p@db/x?target_session_attrs=standby',
    'postgres://u:p@db/x?connect_timeout=0',
    'postgres://u:p@db/x?connect_timeout=soon',
    'postgres:db',
    'host=db user=u',
    'redis://db',
  ])('is refused in one line that names it and says what is allowed: %s', (text) => {
    const load = (): unknown => loadConfig({ DATABASE_URL: text });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/^DATABASE_URL is ".*": expected a URL \(postgres:\/\/user:password@host.*\)$/);
  });

  it('is refused with a TLS mode that there is not: nobody would know whether TLS is used', () => {
    for (const mode of ['bogus', 'Require', 'true']) {
      expect(() => loadConfig({ DATABASE_URL: `postgres://u:hush@db/x?sslmode=${mode}` })).toThrow(
        `DATABASE_URL is "postgres://u:***@db/x?sslmode=${mode}": expected sslmode to be one of disable, allow, prefer, require, verify-ca, verify-full, no-verify`,
      );
    }
    for (const mode of ['disable', 'require', 'verify-full', 'no-verify', ''])
      expect(parseDatabaseUrl(`postgres://u:p@db/x?sslmode=${mode}`).servers).toEqual([
        `postgres://u:p@db/x?sslmode=${mode}`,
      ]);
  });

  it('is refused when the settings are read if a file that it names cannot be read', () => {
    for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
      const address = (path: string): string => `postgres://u:hush@db/x?sslmode=verify-full&${parameter}=${path}`;
      expect(() => loadConfig({ DATABASE_URL: address('/nowhere.pem') })).toThrow(
        `DATABASE_URL is "postgres://u:***@db/x?sslmode=verify-full&${parameter}=/nowhere.pem": expected ${parameter} to be a file that can be read`,
      );
      expect(() => loadConfig({ DATABASE_URL: address(__filename) })).not.toThrow(/^DATABASE_URL/);
    }
  });

  it('says how many seconds a connection may take', () => {
    expect(parseDatabaseUrl('postgres://db/x?connect_timeout=30&sslmode=require')).toEqual({
      servers: ['postgres://db/x?sslmode=require'],
      mustBeWritable: false,
      connectTimeoutMs: 30_000,
    });
  });

  it('never shows its password', () => {
    for (const text of [
      'postgres://u:hush@db:x/y',
      'postgres://u:hu/sh@db/y',
      'postgres://db:x/y?user=u&password=hush',
    ]) {
      expect(() => loadConfig({ DATABASE_URL: text })).toThrow(/^DATABASE_URL is "(?!.*hu\/?sh)/);
    }
  });
});

it.each([
  'redis://',
  'redis://one,two',
  'redis://cache:99999',
  'redis://:%zz@cache',
  'redis+sentinel://one:26379',
  'cache:6379',
])('REDIS_URL is refused when the settings are read, in one line that says what is allowed: %s', (text) => {
  expect(() => loadConfig({ DATABASE_URL: 'postgres://u:p@db/x', REDIS_URL: text })).toThrow(
    /^REDIS_URL is ".*": expected a URL \(redis:\/\/.*\)$/,
  );
});
