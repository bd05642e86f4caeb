import type { Logger } from '@postrider/platform';
import type { DeliveryMetrics } from '../metrics/delivery-metrics';
import type { PageEnd } from './page-end';
import type { PageRun } from './page-run';

/** Tells the operator of every page that was worked: one line, and the counters. */
export class PageReport {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly logger: Logger,
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
  }
}
