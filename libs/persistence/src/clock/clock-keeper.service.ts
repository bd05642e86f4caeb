import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  CLOCK,
  HealthRegistry,
  LedgerClock,
  LOGGER,
  type Logger,
  METRICS,
  RecurringWork,
  Shutdown,
} from '@postrider/platform';
import { Gauge, type Registry } from 'prom-client';
import { type Database, DATABASE } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { whenAvailable } from '../database/open-database';
import { OutageWarning } from '../database/outage-warning';

/** Good clocks drift by a few milliseconds a day. A machine that slept is noticed within this time. */
const ADJUST_EVERY_MS = 2_000;

/** A machine with a larger difference is not ready: its certificates, tokens and log lines are wrong too. */
const OFF_MS = 1_000;

/**
 * Keeps the clock of the process in step with PostgreSQL's clock, from the start of the process on. If the machine's
 * own clock is wrong, the log, the metrics and the readiness say so. The process itself uses the corrected time.
 */
@Injectable()
export class ClockKeeper extends RecurringWork implements OnModuleInit {
  #isOff = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Registry,
    private readonly health: HealthRegistry,
    shutdown: Shutdown,
  ) {
    const outage = new OutageWarning(logger, 'turn.failed');
    super({ name: 'adjust clock', intervalMs: ADJUST_EVERY_MS, logger, shutdown, outage });
  }

  async onModuleInit(): Promise<void> {
    const { clock } = this;
    if (!(clock instanceof LedgerClock)) return;
    this.health.register('clock', () => this.#check(clock), { critical: true });
    new Gauge({
      name: 'postrider_clock_ahead_seconds',
      help: "By how much this machine's clock is ahead of PostgreSQL's",
      registers: [this.metrics],
      collect() {
        this.set(clock.machineAheadMs / 1_000);
      },
    });
    await whenAvailable(() => this.turn(), this.logger);
  }

  /** Adjusts the clock once. @returns false: there is no more work */
  async turn(): Promise<boolean> {
    const { clock } = this;
    if (!(clock instanceof LedgerClock)) return false;
    await clock.adjust(() => this.#ask());
    this.#tell(clock.machineAheadMs);
    return false;
  }

  async #ask(): Promise<number> {
    const [answer] = await preparedRows<{ now: number }>(
      this.database,
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
    );
    if (answer === undefined) throw new Error('PostgreSQL gave no time');
    return answer.now;
  }

  #tell(aheadMs: number): void {
    const isOff = isTooFar(aheadMs);
    if (isOff === this.#isOff) return;
    this.#isOff = isOff;
    const facts = { aheadMs: Math.round(aheadMs) };
    if (isOff) this.logger.error(facts, 'clock.off');
    else this.logger.info(facts, 'clock.right');
  }

  #check({ machineAheadMs }: LedgerClock): Promise<void> {
    if (!isTooFar(machineAheadMs)) return Promise.resolve();
    const seconds = (Math.abs(machineAheadMs) / 1_000).toFixed(1);
    const direction = machineAheadMs > 0 ? 'ahead of' : 'behind';
    return Promise.reject(new Error(`this machine's clock is ${seconds} s ${direction} PostgreSQL's`));
  }
}

function isTooFar(aheadMs: number): boolean {
  return Math.abs(aheadMs) > OFF_MS;
}
