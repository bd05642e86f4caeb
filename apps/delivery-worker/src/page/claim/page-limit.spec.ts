import { AWAY_MS, PageLimit } from './page-limit';

describe('the limit of pages in hand', () => {
  it('lets so many of one route at once, in the order they came, and other routes beside them', async () => {
    const limit = new PageLimit(2, 1_500);
    expect(await limit.acquire('fcm a')).toBe(true);
    expect(await limit.acquire('fcm a')).toBe(true);
    expect(await limit.acquire('fcm b')).toBe(true);
    const order: string[] = [];
    const waiting = ['third', 'fourth'].map((name) => limit.acquire('fcm a').then(() => order.push(name)));
    limit.release('fcm a');
    limit.release('fcm a');
    await Promise.all(waiting);
    expect(order).toEqual(['third', 'fourth']);
  });

  it('sends whoever waited too long away, and keeps the place for the next', async () => {
    jest.useFakeTimers();
    const limit = new PageLimit(1, 1_500);
    await limit.acquire('fcm a');
    const late = limit.acquire('fcm a');
    jest.advanceTimersByTime(2_000);
    expect(await late).toBe(false);
    limit.release('fcm a');
    expect(await limit.acquire('fcm a')).toBe(true);
    jest.useRealTimers();
  });

  it('keeps those whose turn is near and sends the others away, so that a route never runs dry while they are away', async () => {
    jest.useFakeTimers();
    const limit = new PageLimit(1, 1_500);
    await limit.acquire('fcm a');
    const ends: (boolean | undefined)[] = Array.from({ length: 20 }, () => undefined);
    ends.forEach((_, place) => void limit.acquire('fcm a').then((end) => (ends[place] = end)));
    // A page every quarter of a second.
    for (let page = 0; page < 8; page++) {
      await jest.advanceTimersByTimeAsync(250);
      limit.release('fcm a');
    }
    await jest.advanceTimersByTimeAsync(0);
    expect(ends.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => true));
    const away = ends.indexOf(false);
    // The jobs that stay last as long as the others are away.
    expect((away - 8) * 250).toBeGreaterThanOrEqual(AWAY_MS - 250);
    expect(ends.slice(away)).toEqual(Array.from({ length: 20 - away }, () => false));
    jest.useRealTimers();
  });

  it('lets a page wait as long as it takes where no time is given', async () => {
    jest.useFakeTimers();
    const limit = new PageLimit(1);
    await limit.acquire('fcm');
    const late = limit.acquire('fcm');
    jest.advanceTimersByTime(3_600_000);
    limit.release('fcm');
    expect(await late).toBe(true);
    jest.useRealTimers();
  });
});
