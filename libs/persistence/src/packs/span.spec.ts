import fc from 'fast-check';
import { groupBySpan, SPAN_LEVELS } from './span';

const deviceIds = fc
  .uniqueArray(fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 2 ** 31 }), fc.maxSafeNat()), { maxLength: 600 })
  .map((ids) => ids.toSorted((one, other) => one - other));

describe('groups of devices by span', () => {
  it('hold each device once, in order, in a span that it is in', () => {
    fc.assert(
      fc.property(deviceIds, (ids) => {
        const groups = groupBySpan(ids);
        expect(groups.flatMap(({ from, to }) => ids.slice(from, to))).toEqual(ids);
        for (const { span, from, to } of groups) {
          for (const id of ids.slice(from, to)) expect(spansOf(id)).toContain(span);
        }
      }),
    );
  });

  it('are few, however far apart the devices of a hundred million are', () => {
    for (const apart of [1, 40, 1_000, 200_000]) {
      const ids = Array.from({ length: 500 }, (_, place) => place * apart);
      expect(groupBySpan(ids).length).toBeLessThanOrEqual(17);
    }
  });

  it('are short where devices lie close together', () => {
    const ids = Array.from({ length: 500 }, (_, place) => 10_000 + place);
    expect(groupBySpan(ids).map(({ span }) => span)).toEqual([9, 10]);
  });
});

function spansOf(id: number): number[] {
  return SPAN_LEVELS.map(({ bits, first }) => first + Math.floor(id / 2 ** bits));
}
