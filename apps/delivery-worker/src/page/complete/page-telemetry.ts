import { Inject, Injectable } from '@nestjs/common';
import { firstSpanOf, LOGGER, type Logger, type SpanFacts, Traces } from '@postrider/platform';
import { PARKED_AFTER_LOSSES } from '@postrider/persistence';
import { DeliveryMetrics } from '../delivery-metrics';
import type { PageEnd, PageRun } from '../run/page-run';

/** A span names at most this many different answers of a vendor. */
const MOST_ANSWERS = 20;

/**
 * Reports every page that was processed to the operator: one log line, the counters, and a span in the message's trace.
 */
@Injectable()
export class PageTelemetry {
  constructor(
    private readonly metrics: DeliveryMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly traces: Traces,
  ) {}

  /** @param startedAt from `performance.now()` */
  pageEnded(run: PageRun, end: PageEnd, startedAt: number): void {
    const { key, page, stopCause, counts } = run;
    this.metrics.pageEnded(run, stopCause ?? end.kind);
    this.logger.info(
      {
        appId: key.appId,
        messageId: key.messageId,
        pageId: key.pageId,
        vendor: page.vendor,
        attempt: page.attempt,
        devices: page.devices.length,
        ...counts,
        end: end.kind,
        stopCause: stopCause ?? undefined,
        durationMs: Math.round(performance.now() - startedAt),
      },
      'page.attempted',
    );
    if (page.losses > 0) this.#reportLosses(run);
    if (this.traces.isOn) this.#trace(run, end, startedAt);
  }

  /**
   * Warns of a page whose lease ended without a result, once or more often. This worker does not know why: a worker died over
   * it, or is alive and could not renew the lease.
   */
  #reportLosses({ key: { appId, messageId, pageId }, page: { losses, devices }, counts }: PageRun): void {
    const isParked = losses >= PARKED_AFTER_LOSSES;
    this.metrics.workerLost(isParked);
    const facts = { appId, messageId, pageId, losses, devices: devices.length, ...counts };
    if (isParked) this.logger.error(facts, 'page.parked');
    else this.logger.warn(facts, 'page.taken-over');
  }

  #trace({ key, page, stopCause, counts, answers }: PageRun, end: PageEnd, startedAt: number): void {
    this.traces.record({
      name: 'attempt page',
      kind: 'client',
      place: { within: firstSpanOf(key.messageId) },
      startedAt,
      facts: {
        application: key.appId,
        message: key.messageId,
        page: key.pageId,
        vendor: page.vendor,
        attempt: page.attempt,
        devices: page.devices.length,
        end: end.kind,
        stopCause,
        ...counted('devices', Object.entries(counts)),
        ...counted('answers', [...answers].slice(0, MOST_ANSWERS)),
      },
    });
  }
}

function counted(what: string, counts: [name: string, count: number][]): SpanFacts {
  return Object.fromEntries(counts.map(([name, count]) => [`postrider.${what}.${name.replaceAll(' ', '.')}`, count]));
}
