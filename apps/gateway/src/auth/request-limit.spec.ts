import { RequestBudget } from './request-limit.service';

describe('the request budget of an application', () => {
  it('lets `rate` requests through at once, and then `rate` a second', () => {
    const budget = new RequestBudget();
    const take = (atMs: number): number => budget.take('shop', 10, atMs);
    expect(Array.from({ length: 11 }, () => take(0))).toEqual([...Array.from({ length: 10 }, () => 0), 1]);
    expect(take(100)).toBe(0);
    expect(take(100)).toBe(1);
    expect(Array.from({ length: 20 }, () => take(60_000)).filter((wait) => wait === 0)).toHaveLength(10);
  });

  it("is each application's own", () => {
    const budget = new RequestBudget();
    expect(budget.take('shop', 1, 0)).toBe(0);
    expect(budget.take('shop', 1, 0)).toBe(1);
    expect(budget.take('bank', 1, 0)).toBe(0);
  });
});
