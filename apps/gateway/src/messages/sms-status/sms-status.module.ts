import { Module } from '@nestjs/common';
import { SmsReports } from './sms-reports.service';
import { ReportingProviders } from './reporting-providers.service';
import { SmsStatusController } from './sms-status.controller';

/** Receives the reports of SMS providers about fallbacks. */
@Module({
  controllers: [SmsStatusController],
  providers: [ReportingProviders, SmsReports],
})
export class SmsStatusModule {}
