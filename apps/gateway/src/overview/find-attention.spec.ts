import { aboutLag } from './find-attention.service';

describe('work that waits', () => {
  const since = new Date('2026-11-29T12:00:00Z');

  it('is blamed on the workers that do not take it', () => {
    expect(aboutLag({ pages: 3, messages: 0, since }, null)).toMatchObject([
      {
        severity: 'error',
        message:
          'Devices wait to be sent to, and no worker takes them: check that the delivery workers run and keep up',
      },
    ]);
  });

  it('is blamed on Redis first where Redis deletes jobs', () => {
    const cause =
      'Redis deletes jobs when its memory is full (maxmemory-policy is allkeys-lru): set maxmemory-policy to noeviction';
    expect(aboutLag({ pages: 0, messages: 2, since }, cause)).toMatchObject([
      {
        message:
          `Messages wait for their audience, and ${cause}; ` +
          'if they still wait then, check that the audience workers run and keep up',
      },
    ]);
  });
});
