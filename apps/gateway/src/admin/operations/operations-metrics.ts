import type { DeadTokensRepository } from '@postrider/persistence';
import { Gauge, type Registry } from 'prom-client';

/**
 * Registers the gauges of tokens that vendors call dead, read when they are scraped: of all applications together, by vendor.
 * While PostgreSQL is away they show nothing; the scrape never fails.
 */
export function registerOperationsMetrics(registry: Registry, deadTokens: DeadTokensRepository): void {
  const pending = new Gauge({
    name: 'postrider_dead_tokens_pending',
    help: 'Tokens that a vendor calls dead, to be switched off soon unless that turns out to be a fault',
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
