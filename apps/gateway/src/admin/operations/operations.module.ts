import { Inject, Module } from '@nestjs/common';
import { DeadTokensRepository } from '@postrider/persistence';
import { METRICS } from '@postrider/platform';
import type { Registry } from 'prom-client';
import { registerOperationsMetrics } from './operations-metrics';
import { OptedOutNumbersController } from './opted-out-numbers.controller';
import { Quarantine } from './quarantine.service';
import { RouteRecovery } from './route-recovery.service';
import { VendorHealths } from './vendor-health.service';
import { VendorOperationsController } from './vendor-operations.controller';

/** What the operator sees of vendors, and does about them. */
@Module({
  controllers: [VendorOperationsController, OptedOutNumbersController],
  providers: [VendorHealths, Quarantine, RouteRecovery],
  exports: [RouteRecovery],
})
export class OperationsModule {
  constructor(@Inject(METRICS) registry: Registry, deadTokens: DeadTokensRepository) {
    registerOperationsMetrics(registry, deadTokens);
  }
}
