import { SignInLimit } from './sign-in-limit';

describe('the limit of sign-in attempts', () => {
  it('lets an address wait after ten wrong tokens a minute, and no other', () => {
    const limit = new SignInLimit(10, 60_000);
    for (let attempt = 0; attempt < 9; attempt++) limit.fail('10.0.0.1', attempt);
    expect(limit.waitOf('10.0.0.1', 100)).toBe(0);
    limit.fail('10.0.0.1', 100);
    expect(limit.waitOf('10.0.0.1', 30_000)).toBe(30);
    expect(limit.waitOf('10.0.0.2', 30_000)).toBe(0);
    expect(limit.waitOf('10.0.0.1', 60_000)).toBe(0);
    limit.fail('10.0.0.1', 60_000);
    expect(limit.waitOf('10.0.0.1', 60_001)).toBe(0);
  });

  it('remembers no more than ten thousand addresses', () => {
    const limit = new SignInLimit(1, 60_000);
    for (let n = 0; n <= 10_000; n++) limit.fail(`address-${n}`, 0);
    expect([limit.waitOf('address-0', 1), limit.waitOf('address-10000', 1)]).toEqual([0, 60]);
  });
});
