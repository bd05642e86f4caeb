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
    // Their end is skipped: they end when clocks go forward, at two or at midnight, or they go on behind a skipped day.
    [{ ...NIGHT, end: '02:30' }, 'Europe/Berlin', '2026-03-29T00:00', '2026-03-29T01:00'],
    [{ ...NIGHT, end: '00:30' }, 'Asia/Beirut', '2027-03-27T21:00', '2027-03-27T22:00'],
    [{ ...NIGHT, end: '02:15' }, 'Australia/Lord_Howe', '2026-10-03T14:00', '2026-10-03T15:30'],
    [NIGHT, 'Pacific/Apia', '2011-12-30T09:00', '2011-12-30T18:00'],
    // The hour between is skipped as a whole.
    [{ ...NIGHT, start: '03:00', end: '02:00' }, 'Europe/Berlin', '2026-03-29T00:00', '2026-03-30T00:00'],
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

  it('last until the first minute that is not quiet, in nights in which clocks go forward too', () => {
    const nights = [
      ['Europe/Berlin', '2027-03-28T01:00'],
      ['America/New_York', '2027-03-14T07:00'],
      ['America/Havana', '2027-03-14T05:00'],
      ['Asia/Beirut', '2027-03-27T22:00'],
      ['Africa/Cairo', '2027-04-29T22:00'],
      ['Australia/Lord_Howe', '2026-10-03T15:30'],
      ['America/Nuuk', '2027-03-28T01:00'],
      ['Pacific/Apia', '2011-12-30T10:00'],
    ] as const;
    const minutes = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15);
    const clock = (minute: number): string =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(fc.constantFrom(...nights), minutes, minutes, fc.integer({ min: -24, max: 4 }), (night, ...drawn) => {
        const [[zone, jump], [start, end, quarters]] = [night, drawn];
        fc.pre(start !== end);
        const isQuiet = (moment: number): boolean => {
          const text = new Date(moment).toLocaleTimeString('sv-SE', { timeZone: zone, timeStyle: 'short' });
          return start < end ? text >= clock(start) && text < clock(end) : text >= clock(start) || text < clock(end);
        };
        const from = at(jump) + quarters * 900_000;
        let expected = from;
        while (isQuiet(expected)) expected += 900_000;
        const hours = { ...NIGHT, start: clock(start), end: clock(end) };
        expect(quietUntil(hours, zone, from)).toBe(expected === from ? null : expected);
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
