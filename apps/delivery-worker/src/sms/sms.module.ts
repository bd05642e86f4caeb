import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { createSmsSender } from '@postrider/vendors';
import { Credentials } from '../route/credentials';
import { RouteReports } from '../route/route-reports.service';
import { AttemptFallback } from './attempt-fallback.service';
import { FallbackRecords } from './fallback-records.service';
import { ClaimFallbacks } from './claim-fallbacks.service';
import { FallbackMetrics } from './fallback-metrics';
import { InquireFallbacks } from './inquire-fallbacks.service';
import { FallbackFacts } from './fallback-facts.service';
import { PersonalFallbacks } from './personal-fallbacks.service';
import { RefusedSms } from './refused-sms.service';
import { SendFallbacksProcessor } from './send-fallbacks.processor';
import { SendFallbacks } from './send-fallbacks.service';
import { SMS_SENDER_FACTORY, type SmsSenderFactory } from './sms-routes.service';
import { SmsRoutes } from './sms-routes.service';

/** From a fallback that is due to the recorded SMS. Needs the platform, persistence and queues modules. */
@Module({
  controllers: [SendFallbacksProcessor],
  providers: [
    {
      provide: SMS_SENDER_FACTORY,
      inject: [CONFIG, CLOCK],
      useFactory: ({ allowPrivateEndpoints, proxy }: Config, clock: Clock): SmsSenderFactory => {
        return (credentials) => createSmsSender(credentials, { clock, allowPrivateEndpoints, proxy });
      },
    },
    FallbackMetrics,
    Credentials,
    SmsRoutes,
    PromoCodeClaims,
    FallbackFacts,
    PersonalFallbacks,
    RefusedSms,
    ClaimFallbacks,
    AttemptFallback,
    FallbackRecords,
    InquireFallbacks,
    SendFallbacks,
  ],
})
export class SmsModule {
  constructor(routes: SmsRoutes, reports: RouteReports) {
    reports.addSource(() => routes.facts());
  }
}
