import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type Backlog, BacklogRepository, PartitionsRepository } from '@postrider/persistence';
import { CLOCK, METRICS } from '@postrider/platform';
import { Gauge, type Registry } from 'prom-client';

/** Shown as 0 when nothing is due, so that an alarm can tell "nothing waits" from "the state is unknown". */
const ALWAYS_SHOWN = ['audience', 'fallback', 'webhook'] as const;

/**
 * The work that waits in PostgreSQL, the number of days that have partitions, and the health of webhooks, read at each
 * scrape. While PostgreSQL does not answer they show nothing; the scrape never fails.
 */
@Injectable()
export class BacklogMetrics {
  #measuring: Promise<Backlog[] | null> | undefined;

  constructor(
    @Inject(METRICS) registry: Registry,
    private readonly backlogs: BacklogRepository,
    private readonly partitions: PartitionsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.#registerBacklog(registry);
    this.#registerPartitions(registry);
    this.#registerWebhooks(registry);
  }

  #registerBacklog(registry: Registry): void {
    const measure = (): Promise<Backlog[] | null> => this.#measure();
    const now = (): number => this.clock.now().getTime();
    new Gauge({
      name: 'postrider_backlog',
      help: 'Work that is due and that no worker holds: messages without pages, pages by lane and vendor, SMS, webhook events',
      labelNames: ['work', 'vendor'],
      registers: [registry],
      async collect() {
        show(this, await measure(), ({ items }) => items);
      },
    });
    new Gauge({
      name: 'postrider_backlog_oldest_seconds',
      help: 'How long the oldest of this work has been due',
      labelNames: ['work', 'vendor'],
      registers: [registry],
      async collect() {
        show(this, await measure(), ({ oldestSince }) => Math.max(0, now() - oldestSince.getTime()) / 1_000);
      },
    });
  }

  #registerPartitions(registry: Registry): void {
    const measure = (): ReturnType<PartitionsRepository['countDaysAhead']> =>
      this.partitions.countDaysAhead(this.clock.now()).catch(() => []);
    new Gauge({
      name: 'postrider_partition_days_ahead',
      help: 'The number of days after today for which a table has its partitions, without a gap',
      labelNames: ['table'],
      registers: [registry],
      async collect() {
        const counted = await measure();
        this.reset();
        for (const { table, days } of counted) this.set({ table }, days);
      },
    });
  }

  /** A webhook that fails is held, and hardly called: its calls say too little. */
  #registerWebhooks(registry: Registry): void {
    const count = (): ReturnType<BacklogRepository['countWebhooks']> => this.backlogs.countWebhooks().catch(() => null);
    new Gauge({
      name: 'postrider_webhooks',
      help: 'Webhooks that are switched on and were called, by their last call: working, failing',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const counted = await count();
        this.reset();
        if (counted === null) return;
        this.set({ state: 'working' }, counted.working);
        this.set({ state: 'failing' }, counted.failing);
      },
    });
  }

  /** The gauges of one scrape share one read. */
  #measure(): Promise<Backlog[] | null> {
    this.#measuring ??= this.backlogs
      .measure(this.clock.now())
      .catch(() => null)
      .finally(() => (this.#measuring = undefined));
    return this.#measuring;
  }
}

/** @param backlogs null: unknown, so nothing is shown */
function show(
  gauge: Gauge<'work' | 'vendor'>,
  backlogs: readonly Backlog[] | null,
  valueOf: (backlog: Backlog) => number,
): void {
  gauge.reset();
  if (backlogs === null) return;
  for (const work of ALWAYS_SHOWN) gauge.set({ work, vendor: '' }, 0);
  for (const backlog of backlogs) gauge.set({ work: backlog.work, vendor: backlog.vendor }, valueOf(backlog));
}
