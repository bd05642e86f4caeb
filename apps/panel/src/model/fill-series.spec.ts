import { fillGaps, fillSeries } from './fill-series';

describe('a series over time', () => {
  it('has a point for every day, also for those on which nothing happened', () => {
    const series = [{ at: '2026-05-02T00:00:00.000Z', clicks: 4 }];
    const range = { series, from: '2026-05-01T10:00:00Z', to: '2026-05-03T10:00:00Z', interval: 'day' as const };
    expect(fillSeries(range, { clicks: 0 })).toEqual([
      { at: '2026-05-01T00:00:00.000Z', clicks: 0 },
      { at: '2026-05-02T00:00:00.000Z', clicks: 4 },
      { at: '2026-05-03T00:00:00.000Z', clicks: 0 },
    ]);
  });

  it('has every hour between its first and its last, also the two of a night in autumn that have one name', () => {
    const series = [
      { at: '2027-10-30T23:00:00.000Z', opened: 2 },
      { at: '2027-10-31T02:00:00.000Z', opened: 1 },
    ];
    expect(fillGaps(series, 'hour', { opened: 0 })).toEqual([
      { at: '2027-10-30T23:00:00.000Z', opened: 2 },
      { at: '2027-10-31T00:00:00.000Z', opened: 0 },
      { at: '2027-10-31T01:00:00.000Z', opened: 0 },
      { at: '2027-10-31T02:00:00.000Z', opened: 1 },
    ]);
    expect(fillGaps([], 'hour', {})).toEqual([]);
  });
});
