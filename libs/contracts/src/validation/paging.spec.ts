import { cutList, makeCursor, placeOf } from './paging';

describe('a part of a list', () => {
  const cut = (found: readonly string[]): { entries: string[]; nextCursor: string | null } =>
    cutList(found, 2, (last) => makeCursor(last));

  it('has a cursor behind its last entry if one more entry was read than the caller wants', () => {
    const { entries, nextCursor } = cut(['a', 'b', 'c']);
    expect(entries).toEqual(['a', 'b']);
    expect(placeOf(nextCursor ?? '')).toBe('b');
  });

  it.each([[['a', 'b']], [['a']], [[]]])('has no cursor at the end of the list: %j', (found) => {
    expect(cut(found)).toEqual({ entries: found, nextCursor: null });
  });
});
