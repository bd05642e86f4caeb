import { pino } from 'pino';
import { Shutdown } from '../shutdown/shutdown';
import { RecurringWork } from './recurring-work';

/** Runs the work that is due now. */
const nextRound = (): Promise<void> => new Promise((next) => setImmediate(next));

/** Work of which there is always more, a turn in each round of the event loop. */
class EndlessWork extends RecurringWork {
  turns = 0;

  constructor(shutdown: Shutdown) {
    super({ name: 'endless', intervalMs: 1, logger: pino({ level: 'silent' }), shutdown });
  }

  async turn(): Promise<boolean> {
    this.turns++;
    await nextRound();
    return true;
  }
}

describe('recurring work', () => {
  it('takes turns until its module is destroyed, also when the process goes on', async () => {
    const work = new EndlessWork(new Shutdown());
    work.onApplicationBootstrap();
    for (let round = 0; round < 10; round++) await nextRound();
    expect(work.turns).toBeGreaterThan(5);
    await work.onModuleDestroy();
    const { turns } = work;
    for (let round = 0; round < 10; round++) await nextRound();
    expect(work.turns).toBe(turns);
  });

  it('has taken its last turn when a process that stops destroys its module', async () => {
    const shutdown = new Shutdown();
    const work = new EndlessWork(shutdown);
    let finish = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      work.turn = () => {
        resolve();
        return new Promise((end) => (finish = () => end(false)));
      };
    });
    work.onApplicationBootstrap();
    await begun;
    shutdown.begin();
    let isDestroyed = false;
    const destroyed = work.onModuleDestroy().then(() => (isDestroyed = true));
    await nextRound();
    expect(isDestroyed).toBe(false);
    finish();
    await destroyed;
  });
});
