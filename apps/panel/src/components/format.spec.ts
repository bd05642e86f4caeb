import { formatAgo, formatBytes, formatDuration, formatShare, formatSpan, initialOf } from './format';

describe('the time for which something was counted', () => {
  it('is an hour of the reader, and a day of UTC, also where that day begins on the evening before', async () => {
    process.env.TZ = 'America/Los_Angeles';
    await jest.isolateModulesAsync(async () => {
      const { formatCountedTime } = await import('./format');
      expect(formatCountedTime('2026-11-28T00:00:00.000Z', 'day')).toBe('Nov 28');
      expect(formatCountedTime('2026-11-28T08:00:00.000Z', 'hour')).toBe('Nov 28, 00:00');
    });
  });
});

describe('the initial of a name', () => {
  it('is a whole letter, also where it is an emoji', () => {
    expect(['shop', 'ärzte', '🦊 Fox', ''].map(initialOf)).toEqual(['S', 'Ä', '🦊', '']);
  });
});

describe('numbers for people', () => {
  it('are never all of what is not all, nor nothing of what is something', () => {
    expect([995, 999, 1_000].map((part) => formatShare(part, 1_000))).toEqual(['99.5 %', '99.9 %', '100 %']);
    expect([formatShare(1_995, 2_004), formatShare(9_999, 10_000), formatShare(994, 1_000)]).toEqual([
      '99.6 %',
      '> 99.9 %',
      '99 %',
    ]);
    expect([994, 996, 1_000].map((part) => formatShare(part, 10_000))).toEqual(['9.9 %', '10 %', '10 %']);
    expect([formatShare(0, 9), formatShare(1, 10_000)]).toEqual(['0 %', '< 0.1 %']);
  });

  it('name a duration without units that are nothing or full', () => {
    expect([95, 119.6, 3_600, 7_199.9, 5_400].map(formatDuration)).toEqual([
      ...['1 min 35 s', '2 min', '1 h', '2 h', '1 h 30 min'],
    ]);
    expect([0.25, 59.7].map(formatDuration)).toEqual(['250 ms', '1 min']);
  });

  it('name a span of time in its largest whole unit', () => {
    expect([86_400, 604_800, 3_600, 5_400, 61].map(formatSpan)).toEqual([
      ...['1 day', '7 days', '1 hour', '90 minutes', '61 seconds'],
    ]);
  });

  it('name a past time in whole units, and a future one in the nearest', () => {
    const now = Date.parse('2026-11-25T12:00:00Z');
    const from = (seconds: number): string => formatAgo(new Date(now + seconds * 1_000), now);
    expect([-3, -59, -3_599, -17_999, -86_400].map(from)).toEqual([
      ...['just now', '59 seconds ago', '59 minutes ago', '4 hours ago', 'yesterday'],
    ]);
    expect([59, 3_585, 17_985, 18_015, 86_400].map(from)).toEqual([
      ...['in 59 seconds', 'in 60 minutes', 'in 5 hours', 'in 5 hours', 'tomorrow'],
    ]);
  });

  it('name a size in the unit that fits', () => {
    expect([0, 999, 1_500, 20_000_000].map(formatBytes)).toEqual(['0 B', '999 B', '1.5 kB', '20.0 MB']);
  });
});
