import { createMetrics, HealthRegistry, LedgerClock, Shutdown } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { ClockKeeper } from './clock-keeper.service';

const TWO_HOURS_MS = 7_200_000;
const A_MINUTE_MS = 60_000;

describe('a process on a machine whose clock is two hours ahead', () => {
  let throwAway: ThrowAwayDatabase;
  let aheadMs: number;
  let lines: Record<string, unknown>[];
  let clock: LedgerClock;
  let metrics: ReturnType<typeof createMetrics>;
  let health: HealthRegistry;
  let keeper: ClockKeeper;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  beforeEach(async () => {
    [aheadMs, lines] = [TWO_HOURS_MS, []];
    clock = new LedgerClock({ monotonic: () => performance.now(), wall: () => Date.now() + aheadMs });
    metrics = createMetrics('test');
    const shutdown = new Shutdown();
    health = new HealthRegistry(shutdown, metrics);
    const logger = pino({ messageKey: 'event' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    keeper = new ClockKeeper(throwAway.dataSource, clock, logger, metrics, health, shutdown);
    await keeper.onModuleInit();
  });
  afterAll(() => throwAway.drop());

  /** The difference to the time that PostgreSQL gives before and after. */
  async function ofPostgres(): Promise<number> {
    const [{ now }] = await throwAway.dataSource.query(`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`);
    return Number(now);
  }

  it('decides by PostgreSQL’s time', async () => {
    const before = await ofPostgres();
    const now = clock.now().getTime();
    const after = await ofPostgres();
    // The error is half of the time of the quickest answer: on a loaded machine it is large, but far smaller than two
    // hours.
    expect(now).toBeGreaterThan(before - A_MINUTE_MS);
    expect(now).toBeLessThan(after + A_MINUTE_MS);
  });

  it('is not ready, and says by how much it is off, once in the log', async () => {
    await keeper.turn();
    const { ready, checks } = await health.report();
    expect(ready).toBe(false);
    expect(checks.clock).toMatchObject({ ok: false, critical: true });
    expect(checks.clock?.error).toMatch(/^this machine's clock is 7[12]\d\d\.\d s ahead of PostgreSQL's$/);
    expect(await metrics.metrics()).toMatch(/postrider_clock_ahead_seconds\{app="test"\} 7[12]\d\d/);
    expect(lines.filter(({ event }) => event === 'clock.off')).toHaveLength(1);
  });

  it('is ready when its clock was set right', async () => {
    await keeper.turn();
    aheadMs = 0;
    await keeper.turn();
    expect((await health.report()).ready).toBe(true);
    expect(lines.at(-1)).toMatchObject({ event: 'clock.right' });
  });
});
