import fc from 'fast-check';
import { HOUR_MS } from '../time';
import { firstTimeZone, isTimeZone, momentOf, nextMomentOf, wallTimeAt } from './local-time';

const at = (text: string): number => Date.parse(`${text}Z`);
const ZONES = Intl.supportedValuesOf('timeZone');

describe('the local time of a zone', () => {
  it('is what Intl says, in every zone and at any moment', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 4e12 }), (zone, moment) => {
        const text = new Date(moment).toLocaleString('sv-SE', { timeZone: zone });
        expect(new Date(wallTimeAt(moment, zone)).toISOString().slice(0, 19).replace('T', ' ')).toBe(text);
      }),
    );
  });

  it('comes back to its moment, or to the other one of a time that comes twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 1e12, max: 2.5e12 }), (zone, moment) => {
        const wallTime = wallTimeAt(moment, zone);
        const found = [momentOf(wallTime, zone), momentOf(wallTime, zone, 'later')];
        expect(found).toContain(moment);
        for (const one of found) expect(wallTimeAt(one, zone)).toBe(wallTime);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['Europe/Berlin', '2026-11-22T09:00', '2026-11-22T08:00'],
    ['Asia/Tehran', '2026-11-22T09:00', '2026-11-22T05:30'],
    ['Pacific/Kiritimati', '2026-11-22T09:00', '2026-11-21T19:00'],
    ['Asia/Kathmandu', '2026-11-22T09:00', '2026-11-22T03:15'],
    ['UTC', '2026-11-22T09:00', '2026-11-22T09:00'],
    // Clocks go forward from 02:00 to 03:00: half past two becomes half past three.
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45'],
    // Clocks go back: half past two occurs twice, and the first one counts.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30'],
  ])('in %s at %s is %s in UTC', (zone, wallTime, moment) => {
    expect(new Date(momentOf(at(wallTime), zone)).toISOString()).toBe(new Date(at(moment)).toISOString());
  });

  it('comes again on the next day where it is over', () => {
    const nine = at('2026-11-22T09:00');
    const eight = at('2026-11-22T08:00');
    expect(nextMomentOf(nine, 'UTC', eight)).toBe(nine);
    expect(nextMomentOf(nine, 'Asia/Tokyo', eight)).toBe(nine - 9 * HOUR_MS + 24 * HOUR_MS);
    expect(nextMomentOf(nine, 'America/New_York', eight)).toBe(nine + 5 * HOUR_MS);
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: -40, max: 400 }), (zone, hours) => {
        const earliest = nine + hours * HOUR_MS;
        const found = nextMomentOf(nine, zone, earliest);
        expect(found).toBeGreaterThanOrEqual(earliest);
        expect(found - earliest).toBeLessThanOrEqual(Math.max(26, -hours + 14) * HOUR_MS);
      }),
    );
  });
});

describe('the name of a time zone', () => {
  it.each(['Europe/Berlin', 'Asia/Calcutta', 'US/Pacific', 'UTC', 'Etc/GMT+5'])('is %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['', 'Berlin', '+01:00', 'Europe/Berlin; DROP', 'a'.repeat(100), '__proto__', 'Europe/Nowhere'])(
    'is not %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );

  it('is the first one that is a name, or UTC', () => {
    expect(firstTimeZone(null, 'nonsense', 'Asia/Tehran')).toBe('Asia/Tehran');
    expect(firstTimeZone('nonsense', undefined)).toBe('UTC');
  });
});
