import fc from 'fast-check';
import { tally } from './tally';

const sent = (text: string, at: number): { text: string; token: string; at: number } => ({ text, token: 't', at });

describe('the tally of a drill', () => {
  it('finds nothing wrong where each message came once and soon', () => {
    expect(tally([sent('a', 0), sent('b', 10)], [sent('a', 5), sent('b', 20)], 100)).toEqual({
      ...{ sent: 2, missing: [], repeated: 0, unasked: [], late: 0 },
      ...{ stoodStillMs: 10, stoodStillAt: 10 },
    });
  });

  it('tells what is missing, what came twice, and what came late', () => {
    const found = tally([sent('a', 0), sent('b', 0), sent('c', 0)], [sent('a', 5), sent('a', 6), sent('b', 500)], 100);
    expect(found).toMatchObject({ missing: [sent('c', 0)], repeated: 1, late: 1 });
  });

  it('tells what came to a device that it was not for, and what nobody sent', () => {
    const strange = [{ ...sent('a', 7), token: 'other' }, sent('z', 8)];
    expect(tally([sent('a', 0)], [sent('a', 5), ...strange], 100)).toMatchObject({ repeated: 0, unasked: strange });
  });

  it('counts as standstill only the time in which something waited', () => {
    // Nothing waits between 10 and 1,000; then one message waits for 300, while another comes after 50.
    const found = tally(
      [sent('a', 0), sent('b', 1_000), sent('c', 1_000)],
      [sent('a', 10), sent('c', 1_050), sent('b', 1_300)],
      5_000,
    );
    expect(found).toMatchObject({ stoodStillMs: 250, stoodStillAt: 1_050 });
  });

  it('finds a standstill as long as one that is looked for step by step', () => {
    const message = fc.record({ at: fc.nat(60), takes: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (drawn) => {
        const asked = drawn.map(({ at }, place) => sent(String(place), at));
        const came = drawn.map(({ at, takes }, place) => sent(String(place), at + takes));
        let longest = 0;
        let waited = 0;
        for (let now = 0; now < 100; now++) {
          // True if something waits from this moment to the next, at whose end something may come.
          const waits = drawn.some(({ at, takes }) => at <= now && now < at + takes);
          waited = waits ? waited + 1 : 0;
          longest = Math.max(longest, waited);
          if (drawn.some(({ at, takes }) => at + takes === now + 1)) waited = 0;
        }
        expect(tally(asked, came, 1_000).stoodStillMs).toBe(longest);
      }),
    );
  });
});
