import { Inject, Injectable } from '@nestjs/common';
import type { PromoSetKey } from '@postrider/persistence';
import { LOGGER, type Logger, Traces } from '@postrider/platform';
import { type ImportOutcome, PromoImporter } from '@postrider/promo';
import { PromoMetrics } from '../metrics/promo-metrics';

/** Imports uploads, and says how it went. What is done of one set has one trace, that of the set's id. */
@Injectable()
export class ImportPromoSetService {
  constructor(
    private readonly importer: PromoImporter,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: PromoMetrics,
    private readonly traces: Traces,
  ) {}

  /** Takes one turn at an upload (`PromoImporter`); safe to repeat at any time. */
  async import(key: PromoSetKey, signal: AbortSignal): Promise<ImportOutcome> {
    const startedAt = performance.now();
    const outcome = await this.importer.import(key, signal);
    const durationMs = Math.round(performance.now() - startedAt);
    const { kind, ...facts } = outcome;
    this.logger[levelOf(outcome)]({ ...key, outcome: kind, ...facts, durationMs }, 'promo.imported');
    this.metrics.imported(outcome, durationMs);
    if (this.traces.isOn) this.#trace(key, outcome, startedAt);
    return outcome;
  }

  /** Leaves out the reason of a failure: it may quote the file. */
  #trace({ appId, setId }: PromoSetKey, outcome: ImportOutcome, startedAt: number): void {
    const { total, lines, bytes } = outcome.kind === 'in_force' ? outcome : {};
    this.traces.record({
      name: 'import promo set',
      place: { about: setId },
      startedAt,
      facts: { application: appId, set: setId, outcome: outcome.kind, total, lines, bytes },
      failure: outcome.kind === 'failed' ? outcome.failure : undefined,
    });
  }
}

/** A warning for a good file that could not be imported. A wrong file is no fault of ours: its sender is told the line. */
function levelOf(outcome: ImportOutcome): 'info' | 'warn' {
  return outcome.kind === 'failed' && outcome.failure === 'service' ? 'warn' : 'info';
}
