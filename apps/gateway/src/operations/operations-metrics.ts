import { countQuarantinedTokens, type Database } from '@postrider/persistence';
import { Gauge, type Registry } from 'prom-client';

/**
 * Registers the gauge of tokens in quarantine, read when it is scraped: of all applications together, by vendor. While
 * PostgreSQL is away it shows nothing; the scrape never fails.
 */
export function registerOperationsMetrics(registry: Registry, database: Database): void {
  new Gauge({
    name: 'postrider_quarantined_tokens',
    help: 'Tokens that a vendor calls dead, kept on until the operator decides',
    labelNames: ['vendor'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await countQuarantinedTokens(database).catch(() => []);
      for (const { vendor, count } of counts) this.set({ vendor }, count);
    },
  });
}
