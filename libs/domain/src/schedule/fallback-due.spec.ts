import fc from 'fast-check';
import { fallbackDueAt } from './fallback-due';
import { type QuietHours, quietUntil } from './quiet-hours';

const night: QuietHours = { start: '22:00', end: '08:00', timeZone: 'device', applies: 'all' };
const at = (text: string): number => Date.parse(`${text}Z`);
const due = (startsAt: string, delaySeconds: number, quietHours: QuietHours | null = night, zone = 'UTC'): string =>
  new Date(fallbackDueAt({ startsAt: at(startsAt), delaySeconds, quietHours, zone })).toISOString().slice(0, -5);

describe('when a fallback is due', () => {
  it.each([
    ['its delay after the message', '2026-03-01T12:00:00', 60, '2026-03-01T12:01:00'],
    ['its delay after the night in which the message waited', '2026-03-01T23:00:00', 60, '2026-03-02T08:01:00'],
    ['after the night that its delay runs into', '2026-03-01T21:59:30', 60, '2026-03-02T08:00:00'],
    ['in the night after, when its delay is a day long', '2026-03-01T23:00:00', 15 * 3_600, '2026-03-03T08:00:00'],
  ])('%s', (_, startsAt, delaySeconds, expected) => {
    expect(due(startsAt, delaySeconds)).toBe(expected);
  });

  it('by the clock where the user is, and without quiet hours by none', () => {
    expect(due('2026-03-01T23:00:00', 60, night, 'America/New_York')).toBe('2026-03-01T23:01:00');
    expect(due('2026-03-01T23:00:00', 60, null)).toBe('2026-03-01T23:01:00');
  });

  it('is never in quiet hours, nor sooner than its delay after the message', () => {
    const time = fc.integer({ min: 0, max: 1_439 }).map((minute) => {
      return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    });
    fc.assert(
      fc.property(
        fc.record({ start: time, end: time }).filter(({ start, end }) => start !== end),
        fc.integer({ min: at('2026-01-01T00:00:00'), max: at('2027-01-01T00:00:00') }),
        fc.nat(86_400),
        fc.constantFrom('UTC', 'Asia/Tehran', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'),
        (hours, startsAt, delaySeconds, zone) => {
          const quietHours: QuietHours = { ...night, ...hours };
          const moment = fallbackDueAt({ startsAt, delaySeconds, quietHours, zone });
          expect(quietUntil(quietHours, zone, moment)).toBeNull();
          const allowedAt = quietUntil(quietHours, zone, startsAt) ?? startsAt;
          expect(moment).toBeGreaterThanOrEqual(allowedAt + delaySeconds * 1_000);
        },
      ),
    );
  });
});
