import { LOCK_IDS } from './lock-ids';

describe('the advisory locks', () => {
  it('have numbers of which no two are equal', () => {
    const byNumber = new Map<number, string[]>();
    for (const [name, id] of Object.entries(LOCK_IDS)) byNumber.set(id, [...(byNumber.get(id) ?? []), name]);
    expect([...byNumber.values()].filter((names) => names.length > 1)).toEqual([]);
  });
});
