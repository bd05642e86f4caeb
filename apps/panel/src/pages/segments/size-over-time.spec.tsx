import { labelPositionAt, midnightsBetween } from './size-chart';
import { sayChange, saySizes } from './size-over-time';

const size = (at: string, devices: number): Parameters<typeof sayChange>[0] => ({
  at,
  devices,
  reachable: devices,
  users: null,
});

describe('the sizes of a segment in words', () => {
  const [before, after] = [size('2026-03-01T10:00:00Z', 1_200), size('2026-03-02T10:00:00Z', 1_188)];

  it('say how many devices came or went', () => {
    expect(sayChange(before, after)).toMatch(/^12 fewer than Mar 1, 2026/);
    expect(sayChange(after, { ...before, at: '2026-03-03T10:00:00Z' })).toMatch(/^12 more than Mar 2, 2026/);
    expect(sayChange(before, { ...after, devices: 1_200 })).toMatch(/^as many as Mar 1/);
    expect(sayChange(before, before)).toBe('all that match');
  });

  it('name the line of the last change on the side where there is room', () => {
    expect([labelPositionAt(1, 0, 10), labelPositionAt(9, 0, 10)]).toEqual(['insideBottomLeft', 'insideBottomRight']);
  });

  it('name each day once, at its beginning, on a curve of two weeks', () => {
    const days = midnightsBetween(new Date(2026, 2, 22, 13).getTime(), new Date(2026, 3, 5, 6, 50).getTime());
    expect(days).toEqual(Array.from({ length: 14 }, (_, n) => new Date(2026, 2, 23 + n).getTime()));
  });

  it('tell of the curve its ends, its least and its most', () => {
    const words = saySizes([before, size('2026-03-01T20:00:00Z', 1_500), after]);
    expect(words).toMatch(/^From 1,200 devices on Mar 1, 2026.* to 1,188 on Mar 2, 2026/);
    expect(words).toMatch(/at least 1,188, at most 1,500$/);
    expect(saySizes([])).toBe('Nothing was measured');
  });
});
