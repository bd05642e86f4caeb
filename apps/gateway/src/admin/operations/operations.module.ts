import { ReleaseHeldPages } from '@postrider/maintenance';
import { DeadTokensRepository } from '@postrider/persistence';
import { Gauge, type Registry } from 'prom-client';
import { Inject, Module } from '@nestjs/common';
import { METRICS } from '@postrider/platform';
import { ApplicationsModule } from '../applications/applications.module';
import { OptedOutNumbersController } from './opted-out-numbers.controller';
import { Quarantine } from './quarantine.service';
import { RouteRecovery } from './route-recovery.service';
import { VendorHealths } from './vendor-health.service';
import { VendorOperationsController } from './vendor-operations.controller';

/**
 * Registers the gauges of tokens that vendors call dead, read at each scrape: over all applications, by vendor. While
 * PostgreSQL is down they are left out, and the scrape still succeeds.
 */
function registerOperationsMetrics(registry: Registry, deadTokens: DeadTokensRepository): void {
  const pending = new Gauge({
    name: 'postrider_dead_tokens_pending',
    help: 'Tokens that a vendor calls dead; they are switched off soon, unless the vendor was wrong',
    labelNames: ['vendor'],
    registers: [registry],
  });
  new Gauge({
    name: 'postrider_quarantined_tokens',
    help: 'Tokens that a vendor calls dead, kept on until the operator decides',
    labelNames: ['vendor'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await deadTokens.countQuarantined().catch(() => []);
      pending.reset();
      for (const { vendor, quarantined, pending: soon } of counts) {
        this.set({ vendor }, quarantined);
        pending.set({ vendor }, soon);
      }
    },
  });
}

/** The operator's view of vendors, and the actions on them. */
@Module({
  imports: [ApplicationsModule],
  controllers: [VendorOperationsController, OptedOutNumbersController],
  providers: [VendorHealths, Quarantine, ReleaseHeldPages, RouteRecovery],
  exports: [RouteRecovery],
})
export class OperationsModule {
  constructor(@Inject(METRICS) registry: Registry, deadTokens: DeadTokensRepository) {
    registerOperationsMetrics(registry, deadTokens);
  }
}
