import { setTimeout as pause } from 'node:timers/promises';
import type { Registry } from 'prom-client';

/** Prometheus gives up a scrape after ten seconds, unless it is set otherwise. */
const READ_WITHIN_MS = 5_000;

/**
 * Returns the process's metrics as text. A metric that is not read within the time, because PostgreSQL or Redis does not answer, is
 * left out, so that an outage does not cost the metrics that the process knows by itself.
 */
export async function scrape(registry: Registry, withinMs = READ_WITHIN_MS): Promise<string> {
  const tooLate = pause(withinMs, null, { ref: false });
  const read = (name: string): Promise<string | null> =>
    Promise.race([registry.getSingleMetricAsString(name), tooLate]);
  const texts = await Promise.all(registry.getMetricsAsArray().map(({ name }) => read(name)));
  return `${texts.filter((text) => text !== null).join('\n\n')}\n`;
}
