import fc from 'fast-check';
import { wallTimeAt } from './local-time';
import { keepsQuietHours, type QuietHours, type QuietTerms, quietUntil, quietZonesAt } from './quiet-hours';

const NIGHT: QuietHours = { start: '22:00', end: '08:00', timeZone: 'device', applies: 'campaigns' };
const SIESTA: QuietHours = { ...NIGHT, start: '13:00', end: '15:30' };
const at = (text: string): number => Date.parse(`${text}Z`);
const until = (hours: QuietHours, zone: string, moment: string): string | null => {
  const end = quietUntil(hours, zone, at(moment));
  return end === null ? null : new Date(end).toISOString().slice(0, 16);
};

describe('quiet hours', () => {
  it.each([
    [NIGHT, 'UTC', '2026-11-21T21:59', null],
    [NIGHT, 'UTC', '2026-11-21T22:00', '2026-11-22T08:00'],
    [NIGHT, 'UTC', '2026-11-22T07:59', '2026-11-22T08:00'],
    [NIGHT, 'UTC', '2026-11-22T08:00', null],
    [NIGHT, 'Asia/Tehran', '2026-11-21T18:30', '2026-11-22T04:30'],
    [NIGHT, 'America/Los_Angeles', '2026-11-21T18:30', null],
    [SIESTA, 'Europe/Madrid', '2026-11-21T11:59', null],
    [SIESTA, 'Europe/Madrid', '2026-11-21T12:00', '2026-11-21T14:30'],
    [SIESTA, 'Europe/Madrid', '2026-11-21T14:30', null],
    // They end an hour earlier after the night in which clocks went forward.
    [NIGHT, 'Europe/Berlin', '2026-03-28T22:00', '2026-03-29T06:00'],
    // Their end occurs twice in the night in which clocks go back from three to two.
    [{ ...NIGHT, end: '02:30' }, 'Europe/Berlin', '2026-10-25T00:00', '2026-10-25T00:30'],
    [{ ...NIGHT, end: '02:30' }, 'Europe/Berlin', '2026-10-25T00:45', null],
    [{ ...NIGHT, end: '02:30' }, 'Europe/Berlin', '2026-10-25T01:15', '2026-10-25T01:30'],
    [{ ...NIGHT, timeZone: 'Asia/Tokyo' }, 'America/Los_Angeles', '2026-11-21T14:00', '2026-11-21T23:00'],
  ])('%# hold as the clock there says', (hours, zone, moment, end) => {
    expect(until(hours, zone, moment)).toBe(end);
  });

  it('are over when they are said to be, in every zone', () => {
    const clock = fc.integer({ min: 0, max: 1_439 });
    const text = (minute: number): string =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(clock, clock, zones, fc.integer({ min: 1.6e12, max: 2e12 }), (start, end, zone, moment) => {
        fc.pre(start !== end);
        const hours: QuietHours = { ...NIGHT, start: text(start), end: text(end) };
        const ends = quietUntil(hours, zone, moment);
        const minute = Math.floor((wallTimeAt(moment, zone) % 86_400_000) / 60_000);
        const isQuiet = start < end ? minute >= start && minute < end : minute >= start || minute < end;
        if (!isQuiet) expect(ends).toBeNull();
        if (ends === null) return;
        expect(ends).toBeGreaterThan(moment);
        expect(quietUntil(hours, zone, ends)).toBeNull();
      }),
    );
  });

  it('are kept by campaigns, by others only where the application says so', () => {
    expect(keepsQuietHours(null, 'campaign')).toBe(false);
    expect(keepsQuietHours(NIGHT, 'campaign')).toBe(true);
    expect(keepsQuietHours(NIGHT, 'transactional')).toBe(false);
    expect(keepsQuietHours({ ...NIGHT, applies: 'all' }, 'transactional')).toBe(true);
  });
});

describe('the time zones that are in quiet hours', () => {
  const now = new Date('2026-11-21T23:00Z');
  const terms: QuietTerms = {
    quietHours: NIGHT,
    lane: 'campaign',
    startsAt: new Date('2026-11-21T12:00Z'),
    expiresAt: new Date('2026-11-22T08:00Z'),
    defaultTimeZone: 'Europe/Berlin',
  };

  it('wait until the hours end there, or for ever if the message is over by then', () => {
    expect(quietZonesAt(now, terms, ['America/Los_Angeles', 'Europe/Berlin', 'UTC', null])).toEqual([
      { zone: 'Europe/Berlin', until: new Date('2026-11-22T07:00Z') },
      { zone: 'UTC', until: null },
      { zone: null, until: new Date('2026-11-22T07:00Z') },
    ]);
  });

  it('are none for messages that do not respect quiet hours', () => {
    expect(quietZonesAt(now, { ...terms, quietHours: null }, ['UTC'])).toEqual([]);
    expect(quietZonesAt(now, { ...terms, lane: 'transactional' }, ['UTC'])).toEqual([]);
  });
});
