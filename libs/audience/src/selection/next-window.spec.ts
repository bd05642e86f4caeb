import { nextWindow } from './next-window';

describe('the next window of installations', () => {
  it('grows while few of them are recipients, so that one in a million is found in a few statements', () => {
    let size = 5_000;
    let seen = 0;
    let statements = 0;
    for (; seen < 1_000_000; statements++) {
      seen += size;
      size = nextWindow(size, 0, 5_000);
    }
    expect(statements).toBeLessThan(15);
    expect(size).toBe(100_000);
  });

  it('shrinks when it holds more than one step takes', () => {
    expect(nextWindow(80_000, 5_000, 5_000)).toBe(40_000);
    expect(nextWindow(5_000, 5_000, 5_000)).toBe(5_000);
  });

  it('stays where a step gives enough', () => {
    expect(nextWindow(20_000, 3_000, 5_000)).toBe(20_000);
  });

  it('recovers from the small first step', () => {
    expect(nextWindow(500, 100, 500)).toBe(5_000);
  });
});
