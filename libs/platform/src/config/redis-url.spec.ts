import { ConfigError } from './config-error';
import { parseRedisUrl } from './redis-url';

describe('REDIS_URL', () => {
  it.each([
    ['redis://cache', { form: 'single', hosts: [{ host: 'cache', port: 6379 }], tls: false, db: 0 }],
    [
      'rediss://ops:p%40ss@cache:6390/3',
      { form: 'single', hosts: [{ host: 'cache', port: 6390 }], tls: true, username: 'ops', password: 'p@ss', db: 3 },
    ],
    [
      'redis://:word@[::1]:6379',
      { form: 'single', hosts: [{ host: '::1', port: 6379 }], tls: false, password: 'word', db: 0 },
    ],
    [
      'redis+sentinel://:word@one:26379,two/main/2',
      {
        form: 'sentinel',
        hosts: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 26379 },
        ],
        master: 'main',
        tls: false,
        password: 'word',
        db: 2,
      },
    ],
    [
      'rediss+cluster://one:7000,two:7001/',
      {
        form: 'cluster',
        hosts: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 7001 },
        ],
        tls: true,
        db: 0,
      },
    ],
  ])('is read: %s', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    'redis://',
    'redis://one,two',
    'redis://cache:99999',
    'redis://cache/three',
    'redis+sentinel://one:26379',
    'redis+cluster://one/1',
    'redis://:%zz@cache',
    'http://cache',
  ])('is refused: %s', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(ConfigError);
  });

  it('does not show its password when it is refused', () => {
    expect(() => parseRedisUrl('redis://ops:hunter2@cache/x')).toThrow(
      /^REDIS_URL is "redis:\/\/\*\*\*@cache\/x": expected/,
    );
  });
});
