import fc from 'fast-check';
import { HOUR_MS } from '@postrider/domain';
import { LedgerClock } from './ledger-clock';

/** A machine whose wall clock is wrong, a PostgreSQL that is right, and a way between them that takes its time. */
class World {
  /** The real time. */
  at = Date.UTC(2026, 0, 1);
  readonly machine = {
    monotonic: () => this.at - Date.UTC(2025, 11, 31),
    wall: () => this.at + this.aheadMs,
  };

  constructor(public aheadMs: number) {}

  ask = (thereMs: number, backMs: number) => (): Promise<number> => {
    this.at += thereMs;
    const answer = this.at;
    this.at += backMs;
    return Promise.resolve(answer);
  };
}

describe('the clock that follows PostgreSQL', () => {
  it('shows the machine’s own time until it knows better', async () => {
    const world = new World(2 * HOUR_MS);
    const clock = new LedgerClock(world.machine);
    expect(clock.now().getTime()).toBe(world.at + 2 * HOUR_MS);
    expect(clock.machineAheadMs).toBe(0);
    await clock.adjust(world.ask(3, 3));
    expect(clock.now().getTime()).toBe(world.at);
    expect(clock.machineAheadMs).toBe(2 * HOUR_MS);
  });

  it('does not move when somebody sets the machine’s clock, and says how far that is off', async () => {
    const world = new World(0);
    const clock = new LedgerClock(world.machine);
    await clock.adjust(world.ask(1, 1));
    world.aheadMs = -5_000;
    expect(clock.now().getTime()).toBe(world.at);
    expect(clock.machineAheadMs).toBe(-5_000);
  });

  it('tells how much time went by, whatever PostgreSQL’s clock and the machine’s do meanwhile', async () => {
    const world = new World(0);
    const clock = new LedgerClock(world.machine);
    await clock.adjust(world.ask(1, 1));
    const [before, beganAt] = [clock.steadyMs(), clock.now().getTime()];
    world.aheadMs = 5_000;
    await clock.adjust(() => Promise.resolve(world.at - HOUR_MS));
    world.at += 7;
    expect(clock.steadyMs() - before).toBe(7);
    expect(clock.now().getTime() - beganAt).toBe(7 - HOUR_MS);
  });

  it('keeps the time it has when PostgreSQL does not answer', async () => {
    const world = new World(HOUR_MS);
    const clock = new LedgerClock(world.machine);
    await clock.adjust(world.ask(1, 1));
    await expect(clock.adjust(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(clock.now().getTime()).toBe(world.at);
  });

  it('is never further off than the quickest answer allows, however slow and lopsided the others are', async () => {
    const trip = fc.record({ there: fc.nat(5_000), back: fc.nat(5_000), pause: fc.nat(2_000) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -9 * HOUR_MS, max: 9 * HOUR_MS }),
        fc.array(trip, { minLength: 1 }),
        async (aheadMs, trips) => {
          const world = new World(aheadMs);
          const clock = new LedgerClock(world.machine);
          let quickest = Infinity;
          for (const { there, back, pause } of trips) {
            await clock.adjust(world.ask(there, back));
            quickest = Math.min(quickest, there + back);
            expect(Math.abs(clock.now().getTime() - world.at)).toBeLessThanOrEqual(quickest);
            world.at += pause;
          }
        },
      ),
    );
  });
});
