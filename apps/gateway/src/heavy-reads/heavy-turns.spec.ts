import { HeavyTurns } from './heavy-turns';

describe('turns of heavy reads', () => {
  let turns: HeavyTurns;
  let begun: string[];
  const never = new AbortController().signal;

  const ask = (name: string, patience = never, longest = patience): void => {
    void turns.take(name.charAt(0), patience, longest).then((isMine) => begun.push(isMine ? name : `not ${name}`));
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    turns = new HeavyTurns(4);
    begun = [];
  });

  it('are two at a time for one application, in the order in which they were asked for', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name);
    await settle();
    expect(begun).toEqual(['a1', 'a2']);
    turns.end('a');
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('go to whoever has the fewest', async () => {
    for (const name of ['a1', 'a2', 'b1', 'b2', 'b3', 'c1', 'd1', 'c2']) ask(name);
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    turns.end('a');
    turns.end('b');
    await settle();
    expect(begun.slice(4)).toEqual(['c1', 'd1']);
    turns.end('b');
    await settle();
    expect(begun.slice(6)).toEqual(['b3']);
  });

  it('are not given to whoever gave up', async () => {
    const patience = new AbortController();
    for (const name of ['a1', 'a2']) ask(name);
    ask('a3', patience.signal);
    ask('a4');
    patience.abort();
    await settle();
    turns.end('a');
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'not a3', 'a4']);
    ask('a5', patience.signal);
    await settle();
    expect(begun).toContain('not a5');
  });

  it('are waited for longer by an application that has none: what takes all places is not its own', async () => {
    const [patience, longest] = [new AbortController(), new AbortController()];
    for (const name of ['a1', 'a2', 'b1', 'b2']) ask(name);
    for (const name of ['a3', 'c1', 'd1', 'e1']) ask(name, patience.signal, longest.signal);
    await settle();
    patience.abort();
    await settle();
    expect(begun.slice(4)).toEqual(['not a3']);
    turns.end('b');
    turns.end('b');
    await settle();
    expect(begun.slice(5)).toEqual(['c1', 'd1']);
    longest.abort();
    await settle();
    expect(begun.slice(7)).toEqual(['not e1']);
    ask('b3', patience.signal, longest.signal);
    await settle();
    expect(begun.slice(8)).toEqual(['not b3']);
  });

  it('come back when they end, however many there were', async () => {
    for (let round = 0; round < 10; round++) {
      ask(`a${round}`);
      await settle();
      turns.end('a');
    }
    for (const name of ['b1', 'b2', 'c1', 'c2']) ask(name);
    await settle();
    expect(begun.slice(10)).toEqual(['b1', 'b2', 'c1', 'c2']);
  });
});
