import { PageLimit } from './page-limit';

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
    jest.advanceTimersByTime(1_500);
    expect(await late).toBe(false);
    limit.release('fcm a');
    expect(await limit.acquire('fcm a')).toBe(true);
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
