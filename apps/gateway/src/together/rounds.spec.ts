import type { Logger } from '@postrider/platform';
import { type RoundPlan, Rounds } from './rounds';

interface Ask {
  key: string;
  number: number;
}

/** Rounds whose work ends when the test says so. */
function slowRounds(changes: Partial<RoundPlan<Ask, number>> = {}) {
  const begun: Ask[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const rounds = new Rounds<Ask, number>(
    {
      name: 'test',
      roundsAtOnce: 2,
      mostAsks: 3,
      mostOfKey: 1,
      keyOf: ({ key }) => key,
      work: (asks) => {
        begun.push([...asks]);
        return new Promise((resolve, reject) =>
          ends.push((error) => (error ? reject(error) : resolve(asks.map(({ number }) => number * 10)))),
        );
      },
      ...changes,
    },
    { warn: () => undefined } as unknown as Logger,
  );
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const numbers = (): number[][] => begun.map((asks) => asks.map(({ number }) => number));
  return { rounds, ends, turn, numbers };
}

const ask = (number: number, key = String(number)): Ask => ({ key, number });

describe('rounds', () => {
  it('take what came together, no more than fits, and the rest when one is over', async () => {
    const { rounds, ends, turn, numbers } = slowRounds({ roundsAtOnce: 1 });
    const answers = Promise.all([1, 2, 3, 4, 5].map((number) => rounds.give(ask(number))));
    await turn();
    expect(numbers()).toEqual([[1, 2, 3]]);
    ends[0]?.();
    await turn();
    expect(numbers()).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    ends[1]?.();
    expect(await answers).toEqual([10, 20, 30, 40, 50]);
  });

  it('keep what has one key apart and in order, and let others pass', async () => {
    const { rounds, ends, turn, numbers } = slowRounds();
    const answers = Promise.all([ask(1, 'a'), ask(2, 'a'), ask(3, 'b')].map((one) => rounds.give(one)));
    await turn();
    expect(numbers()).toEqual([[1, 3]]);
    const late = rounds.give(ask(4, 'c'));
    await turn();
    expect(numbers()).toEqual([[1, 3], [4]]);
    ends[0]?.();
    await turn();
    expect(numbers()[2]).toEqual([2]);
    for (const end of ends) end();
    expect([await answers, await late]).toEqual([[10, 20, 30], 40]);
  });

  it('send everyone of a failed round away to try alone, unless nobody knows what became of it', async () => {
    const { rounds, ends, turn } = slowRounds({ roundsAtOnce: 1 });
    const refused = Promise.all([rounds.give(ask(1)), rounds.give(ask(2))]);
    await turn();
    ends[0]?.(Object.assign(new Error('duplicate key'), { code: '23505' }));
    expect(await refused).toEqual([null, null]);
    const lost = Promise.allSettled([rounds.give(ask(3)), rounds.give(ask(4))]);
    await turn();
    ends[1]?.(new Error('Connection terminated unexpectedly'));
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = rounds.give(ask(5));
    await turn();
    ends[2]?.();
    expect(await next).toBe(50);
  });
});
