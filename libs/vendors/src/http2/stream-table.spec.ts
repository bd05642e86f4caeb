import * as fc from 'fast-check';
import { StreamTable } from './stream-table';

describe('a table of streams', () => {
  it('finds, removes and lists open streams as a Map does, whichever stay open', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('open' as const), skipped: fc.integer({ min: 0, max: 1_500 }) }),
        fc.record({ kind: fc.constant('close' as const), which: fc.nat() }),
        fc.record({ kind: fc.constant('close-unknown' as const), id: fc.nat(9_999) }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (taken) => {
        const table = new StreamTable<string>();
        const expected = new Map<number, string>();
        const opened: number[] = [];
        let next = 1;
        for (const step of taken) {
          if (step.kind === 'open') {
            next += 2 * step.skipped;
            table.set(next, `stream ${next}`);
            expected.set(next, `stream ${next}`);
            opened.push(next);
            next += 2;
          } else {
            const open = [...expected.keys()];
            const id = step.kind === 'close' ? open[step.which % Math.max(1, open.length)] : step.id;
            if (id !== undefined) expect(table.delete(id)).toBe(expected.delete(id));
          }
          expect(table.size).toBe(expected.size);
        }
        expect(table.values()).toEqual([...expected.values()]);
        for (const id of [0, ...opened, next]) expect(table.get(id)).toBe(expected.get(id));
      }),
    );
  });
});
