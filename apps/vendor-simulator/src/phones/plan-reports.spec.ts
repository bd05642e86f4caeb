import fc from 'fast-check';
import { planReports } from './plan-reports';
import type { ShownMessage } from './shown-message';

const MESSAGE: ShownMessage = { messageId: 'm', silent: false, actions: [{ id: 'track', title: 'Track' }] };
const tokens = Array.from({ length: 4_000 }, (_, n) => `token-${n}`);

describe('what a phone reports', () => {
  it('comes in the order in which it happens, and of a silent message only that it came', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.boolean(),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (token, silent, dice) => {
          const reports = planReports(token, { ...MESSAGE, silent }, () => dice.next().value);
          const times = reports.map(({ afterMs }) => afterMs);
          expect(times).toEqual([...times].sort((a, b) => a - b));
          const kinds = reports.map(({ kind }) => kind).join(' ');
          expect(kinds).toMatch(silent ? /^(DELIVERED)?$/ : /^(DELIVERED SHOWN( (OPENED|DISMISSED|ACTION_TAKEN))?)?$/);
        },
      ),
    );
  });

  it('is nothing of a few phones, and an opening of a quarter of them', () => {
    const reports = tokens.map((token) => planReports(token, MESSAGE, Math.random));
    const share = (of: RegExp): number =>
      reports.filter((plan) => of.test(plan.map(({ kind }) => kind).join(' '))).length / tokens.length;
    expect(share(/^$/)).toBeGreaterThan(0.02);
    expect(share(/^$/)).toBeLessThan(0.12);
    expect(share(/OPENED|ACTION_TAKEN/)).toBeGreaterThan(0.15);
    expect(share(/OPENED|ACTION_TAKEN/)).toBeLessThan(0.35);
  });
});
