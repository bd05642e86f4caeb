import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@postrider/domain';
import { returnsAfterMs } from './returns-after';

describe('pages that wait for a held route', () => {
  const seconds = (count: number): number[] =>
    Array.from({ length: count }, (_, place) => returnsAfterMs(place, 0.5) / SECOND_MS);

  it('return one by one, at doubled times: the first when the hold ends', () => {
    expect(seconds(10)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256]);
  });

  it('return few during a hold, however many they are', () => {
    expect(seconds(10_000).filter((after) => after <= 30)).toHaveLength(6);
    expect(seconds(10_000).filter((after) => after <= 300)).toHaveLength(10);
  });

  it('return ten a second when nobody releases them, and within an hour', () => {
    const last = (place: number): number => returnsAfterMs(place, 1) - 5 * MINUTE_MS;
    expect(last(400)).toBe(40 * SECOND_MS);
    expect(returnsAfterMs(1_000_000, 1)).toBe(HOUR_MS);
  });
});
