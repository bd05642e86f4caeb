import { systemClock } from '@postrider/domain';
import { Authorization, RequestBudget } from './authorization.service';
import type { AuthenticatedRequest, Identity } from './caller';

const authorization = new Authorization(systemClock, { requestsPerSecond: 0 } as never, {} as never);

const requestOf = (identity: Identity, access?: object): AuthenticatedRequest =>
  ({ routeOptions: { config: { access } }, facts: { identity } }) as unknown as AuthenticatedRequest;

describe('authorization', () => {
  it('lets nobody call a route that no mark says anything of, not even the operator', () => {
    for (const identity of [{ kind: 'stranger' }, { kind: 'operator', application: 'shop' }] as const) {
      expect(() => authorization.authorize(requestOf(identity))).toThrow('A valid access token is required');
    }
  });

  it('leaves the routes of plugins to them, and lets everybody call public ones', () => {
    for (const kind of ['public', 'plugin', 'anybody']) {
      expect(authorization.authorize(requestOf({ kind: 'stranger' }, { kind }))).toBeUndefined();
    }
  });
});

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
