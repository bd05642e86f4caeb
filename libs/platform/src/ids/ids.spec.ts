import { newId } from './ids';

describe('the ids of messages', () => {
  it('keep the order in which those of one request are made, whatever others make in between', () => {
    const moments = [1_000, 1_001, 999];
    const made = moments.map(() => [] as string[]);
    for (let n = 0; n < 300; n++) {
      // One request makes some of its messages, and then yields to other requests.
      const place = n % 2 === 0 ? 0 : 1 + (n % 3 === 0 ? 1 : 0);
      made[place]?.push(newId(new Date(moments[place] ?? 0)));
    }
    for (const ids of made) expect(ids).toEqual([...ids].sort());
  });
});
