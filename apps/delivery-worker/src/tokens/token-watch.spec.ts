import { TokenWatch } from './token-watch';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;

describe('which dead tokens are believed', () => {
  it('believes single ones among many that work', () => {
    expect(new TokenWatch().believes({ accepted: 480, dead: 20 }, NOW)).toBe(true);
  });

  it('believes none when most of many die at once, not even of a route that worked a minute ago', () => {
    const watch = new TokenWatch();
    watch.believes({ accepted: 500, dead: 0 }, NOW);
    expect(watch.believes({ accepted: 10, dead: 30 }, NOW + 2 * MINUTE_MS)).toBe(false);
  });

  it('believes the last three devices of a small application, which nobody has', () => {
    expect(new TokenWatch().believes({ accepted: 0, dead: 3 }, NOW)).toBe(true);
  });

  it('believes a few from a route that took a message within the hour, and not later', () => {
    const watch = new TokenWatch();
    watch.believes({ accepted: 1, dead: 0 }, NOW);
    expect(watch.believes({ accepted: 0, dead: 10 }, NOW + 59 * MINUTE_MS)).toBe(true);
    expect(watch.believes({ accepted: 0, dead: 10 }, NOW + 62 * MINUTE_MS)).toBe(false);
  });

  it('loses three tokens at most to a wrong project that calls everything dead, however long it goes on', () => {
    const watch = new TokenWatch();
    let lost = 0;
    for (let minute = 0; minute < 600; minute += 2) {
      if (watch.believes({ accepted: 0, dead: 1 }, NOW + minute * MINUTE_MS)) lost += 1;
    }
    expect(lost).toBe(3);
  });

  it('trusts nobody beforehand after the credentials changed', () => {
    const watch = new TokenWatch();
    watch.believes({ accepted: 100, dead: 0 }, NOW);
    watch.reset();
    expect(watch.believes({ accepted: 0, dead: 10 }, NOW)).toBe(false);
  });
});
