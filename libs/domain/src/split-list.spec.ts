import { groupBy, inParts } from './split-list';

describe('groupBy', () => {
  it('keeps the order of the items, and has the groups in the order of their first items', () => {
    const groups = groupBy(['pear', 'fig', 'plum', 'apple', 'fir'], (word) => word[0]);
    expect([...groups]).toEqual([
      ['p', ['pear', 'plum']],
      ['f', ['fig', 'fir']],
      ['a', ['apple']],
    ]);
  });
});

describe('inParts', () => {
  it('cuts a list into parts, of which the last one may be shorter', () => {
    expect([...inParts([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect([...inParts([1, 2], 2)]).toEqual([[1, 2]]);
    expect([...inParts([], 2)]).toEqual([]);
  });
});
