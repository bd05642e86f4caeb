import { VendorCounter } from './vendor-counter';

describe('the counts of a vendor', () => {
  it('stay exact in total when more tokens come than are counted one by one, and say so', () => {
    const counter = new VendorCounter(2);
    for (const token of ['a', 'b', 'c', 'a', 'c', 'd']) counter.countAccepted(token);
    expect(counter.stats()).toMatchObject({
      accepted: 6,
      distinctTokens: 2,
      tokensSeenMoreThanOnce: 1,
      maxTimesOneToken: 2,
      uncounted: 3,
    });
  });

  it('count no token at all with a limit of nought', () => {
    const counter = new VendorCounter(0);
    counter.countAccepted('a');
    expect(counter.stats()).toMatchObject({ accepted: 1, distinctTokens: 0, uncounted: 1 });
  });
});
