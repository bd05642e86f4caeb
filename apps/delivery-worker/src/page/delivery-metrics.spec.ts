import { Registry } from 'prom-client';
import { DeliveryMetrics } from './delivery-metrics';
import type { PageRun } from './run/page-run';

describe('the answers of vendors in the metrics', () => {
  it('have a bounded number of series, also if a proxy puts another code into each answer, and are all counted', async () => {
    const registry = new Registry();
    const metrics = new DeliveryMetrics(registry, () => []);
    const answersOf = (codes: string[]): PageRun =>
      ({
        page: { vendor: 'fcm' },
        answers: new Map(codes.map((code) => [`retryable ${code}`, 1])),
      }) as unknown as PageRun;
    metrics.pageEnded(answersOf(['UNAVAILABLE']), 'finished');
    metrics.pageEnded(answersOf(Array.from({ length: 1_000 }, (_, n) => `request-${n}`)), 'finished');
    metrics.pageEnded(answersOf(['UNAVAILABLE']), 'finished');
    const lines = (await registry.getSingleMetricAsString('postrider_vendor_outcomes_total'))
      .split('\n')
      .filter((line) => line.startsWith('postrider'));
    expect(lines).toHaveLength(201);
    expect(lines).toContain('postrider_vendor_outcomes_total{vendor="fcm",kind="retryable",code="UNAVAILABLE"} 2');
    expect(lines).toContain('postrider_vendor_outcomes_total{vendor="fcm",kind="retryable",code="other"} 801');
  });
});
