import { Inject, Injectable } from '@nestjs/common';
import { PromoSetsRepository, type PromoStock } from '@postrider/persistence';
import { METRICS } from '@postrider/platform';
import type { ImportOutcome } from '@postrider/promo';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The number of applications with a label of their own. The others are counted together. */
const MOST_APPLICATIONS = 100;
const BEYOND = `beyond ${MOST_APPLICATIONS} applications, those first that run out, the others are "other"`;
const SECONDS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Imports by how they ended, and the stock of every application, read when it is scraped. */
@Injectable()
export class PromoMetrics {
  readonly #imports: Counter;
  readonly #codes: Counter;
  readonly #durations: Histogram;

  constructor(@Inject(METRICS) registry: Registry, sets: PromoSetsRepository) {
    const registers = [registry];
    this.#imports = new Counter({
      name: 'postrider_promo_imports_total',
      help: 'Uploads of promo codes that came to an end, by outcome: in_force, bad_file, failed',
      labelNames: ['outcome'],
      registers,
    });
    // Registered at the start, so that the first failure of a process is seen as an increase.
    for (const outcome of ['in_force', 'bad_file', 'failed']) this.#imports.inc({ outcome }, 0);
    this.#codes = new Counter({
      name: 'postrider_promo_codes_imported_total',
      help: 'Promo codes of the sets that were put in force',
      registers,
    });
    this.#durations = new Histogram({
      name: 'postrider_promo_import_seconds',
      help: 'How long the last turn of an import took that put a set in force',
      buckets: SECONDS,
      registers,
    });
    registerStock(registry, sets);
  }

  /** Counts an import that failed or whose set is in force now; of the latter also the codes and the duration. */
  imported(outcome: ImportOutcome, durationMs: number): void {
    if (outcome.kind === 'failed') {
      this.#imports.inc({ outcome: outcome.failure === 'file' ? 'bad_file' : 'failed' });
    } else if (outcome.kind === 'in_force') {
      this.#imports.inc({ outcome: 'in_force' });
      this.#codes.inc(outcome.total);
      this.#durations.observe(durationMs / 1_000);
    }
  }
}

/** While PostgreSQL is away the gauges show nothing; the scrape itself never fails. */
function registerStock(registry: Registry, sets: PromoSetsRepository): void {
  let reading: Promise<PromoStock[]> | undefined;
  // The gauges of one scrape share one read.
  const read = (): Promise<PromoStock[]> =>
    (reading ??= sets
      .measureStock()
      .then(boundedStocks)
      .catch(() => [])
      .finally(() => (reading = undefined)));
  new Gauge({
    name: 'postrider_promo_low_sets',
    help: `Promo sets in force that are at or below their threshold, by application; ${BEYOND}`,
    labelNames: ['app_id'],
    registers: [registry],
    async collect() {
      const stocks = await read();
      this.reset();
      for (const { appId, lowSets } of stocks) this.set({ app_id: appId }, lowSets);
    },
  });
  new Gauge({
    name: 'postrider_promo_lowest_remaining',
    help: `Codes left in the promo set in force that has least, by application; ${BEYOND}`,
    labelNames: ['app_id'],
    registers: [registry],
    async collect() {
      const stocks = await read();
      this.reset();
      for (const { appId, lowestRemaining } of stocks) this.set({ app_id: appId }, lowestRemaining);
    },
  });
}

/** The stocks of the applications that run out first, and that of all others as one. */
function boundedStocks(stocks: readonly PromoStock[]): PromoStock[] {
  const urgent = [...stocks].sort(
    (one, other) => urgencyOf(one) - urgencyOf(other) || one.lowestRemaining - other.lowestRemaining,
  );
  const others = urgent.splice(MOST_APPLICATIONS);
  if (others.length === 0) return urgent;
  const lowestRemaining = others.reduce((least, stock) => Math.min(least, stock.lowestRemaining), Infinity);
  const lowSets = others.reduce((sum, stock) => sum + stock.lowSets, 0);
  return [...urgent, { appId: 'other', lowestRemaining, lowSets }];
}

/** An empty set is more urgent than one that runs low, and this than one with enough. */
function urgencyOf({ lowestRemaining, lowSets }: PromoStock): number {
  if (lowestRemaining === 0) return 0;
  return lowSets > 0 ? 1 : 2;
}
