import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { FallbackAttemptsRepository, type FallbackReport, PhoneKeys } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { ReportMetrics } from './report-metrics';

/** Records what SMS providers report. A report that changes nothing (late, twice, about nobody) is no error. */
@Injectable()
export class SmsReports {
  constructor(
    private readonly fallbackAttempts: FallbackAttemptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: ReportMetrics,
    private readonly phoneKeys: PhoneKeys,
  ) {}

  /** @returns whether it changed anything */
  async record(appId: string, report: FallbackReport | null): Promise<boolean> {
    if (report === null) return false;
    const isRecorded = await this.fallbackAttempts.report(appId, report, {
      now: this.clock.now(),
      digest: await this.phoneKeys.digest(),
    });
    if (isRecorded) this.metrics.reported(report.status, report.provider);
    const { provider, status, errorCode } = report;
    this.logger.info({ appId, provider, status, errorCode, isRecorded }, 'fallback.reported');
    return isRecorded;
  }
}
