import { Gauge, type Registry } from 'prom-client';
import { JOB_STATES, type QueueInspector } from '../inspector/queue-inspector';
import { QUEUES } from '../jobs';

/**
 * Registers the gauges of every queue's length and lag, read at each scrape. While Redis is down they are left out,
 * which an alarm can tell from zero, and the scrape still succeeds.
 */
export function registerQueueMetrics(registry: Registry, inspector: QueueInspector): void {
  new Gauge({
    name: 'postrider_queue_jobs',
    help: 'Jobs in a queue, by state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      await eachQueue(async (queue) => {
        const counts = await inspector.counts(queue);
        for (const state of JOB_STATES) this.set({ queue, state }, counts[state]);
      });
    },
  });
  new Gauge({
    name: 'postrider_queue_oldest_job_seconds',
    help: 'How long the oldest job of a queue has been ready without being taken',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      this.reset();
      await eachQueue(async (queue) => {
        this.set({ queue }, (await inspector.oldestAgeMs(queue)) / 1_000);
      });
    },
  });
}

async function eachQueue(read: (queue: (typeof QUEUES)[number]) => Promise<void>): Promise<void> {
  await Promise.allSettled(QUEUES.map(read));
}
