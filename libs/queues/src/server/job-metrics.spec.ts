import { Registry } from 'prom-client';
import { JobMetrics } from './job-metrics';

describe('the metrics of jobs', () => {
  it('show no failures as 0 once a job was done, so that the first failure is an increase', async () => {
    const registry = new Registry();
    const metrics = new JobMetrics(registry);
    metrics.record('audience', 'resolve-message', 'done', 5);
    const shown = (): Promise<string> => registry.getSingleMetricAsString('postrider_jobs_total');
    expect(await shown()).toContain('{queue="audience",job_name="resolve-message",outcome="failed"} 0');
    metrics.record('audience', 'resolve-message', 'failed', 5);
    expect(await shown()).toContain('{queue="audience",job_name="resolve-message",outcome="failed"} 1');
    expect(await shown()).toContain('{queue="audience",job_name="resolve-message",outcome="done"} 1');
  });
});
