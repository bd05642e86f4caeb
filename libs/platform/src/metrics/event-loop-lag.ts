import { type Histogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** How often the loop is looked at. Each look wakes the process, also one that has nothing to do. */
const INTERVAL_MS = 100;

/** For `collectDefaultMetrics`: the library's own look at the loop is replaced, so it hardly ever takes place. */
export const LIBRARY_INTERVAL_MS = 3_600_000;

/** The least comes first: reading its gauge reads all of them. */
const KINDS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'] as const;

/**
 * Replaces the library's gauges of the event loop's lag by gauges of the same names. The library looks at the loop
 * every 10 ms, which is a quarter of what an idle process costs, and counts these 10 ms as lag. Here a loop that is
 * never late has a lag of 0. Values are in seconds, since the registry was read before.
 *
 * @param registry has the library's default metrics
 * @param looks the nanoseconds between two looks at the loop, which are 100 ms apart
 */
export function measureEventLoopLag(registry: Registry, looks: Histogram = lookAtEventLoop()): void {
  const gauges = KINDS.map((kind) => {
    const name = `nodejs_eventloop_lag_${kind}_seconds`;
    registry.removeSingleMetric(name);
    const gauge = new Gauge({
      name,
      help: `How late the event loop was, in seconds since the last reading (${kind}).`,
      registers: [registry],
      ...(kind === KINDS[0] ? { collect: readAll } : {}),
    });
    return { kind, gauge };
  });

  function readAll(): void {
    for (const { kind, gauge } of gauges) gauge.set(lagOf(looks, kind));
    looks.reset();
  }
}

function lookAtEventLoop(): Histogram {
  const looks = monitorEventLoopDelay({ resolution: INTERVAL_MS });
  looks.enable();
  return looks;
}

/** @returns seconds */
function lagOf(looks: Histogram, kind: (typeof KINDS)[number]): number {
  if (looks.count === 0) return 0;
  if (kind === 'stddev') return looks.stddev / 1e9;
  const apart = kind.startsWith('p') ? looks.percentile(Number(kind.slice(1))) : looks[kind as 'min' | 'max' | 'mean'];
  return Math.max(0, apart / 1e9 - INTERVAL_MS / 1e3);
}
