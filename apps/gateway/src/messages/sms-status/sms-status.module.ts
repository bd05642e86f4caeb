import { Module } from '@nestjs/common';
import { METRICS } from '@postrider/platform';
import type { Registry } from 'prom-client';
import { ReportMetrics, SmsReports } from './sms-reports.service';
import { ReportingProviders } from './reporting-providers.service';
import { SmsStatusController } from './sms-status.controller';

/** Receives the reports of SMS providers about fallbacks. */
@Module({
  controllers: [SmsStatusController],
  providers: [
    ReportingProviders,
    SmsReports,
    { provide: ReportMetrics, inject: [METRICS], useFactory: (registry: Registry) => new ReportMetrics(registry) },
  ],
})
export class SmsStatusModule {}
