import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const DEFINITION = /new (Gauge|Counter|Histogram|CallTimes)(?:<[^>]*>)?\(\{/;
const NAME = /name: '(postrider_\w+)'/;
const LABELS = /labelNames: \[([^\]]*)\]/;

/** The labels that Prometheus and the registry of every process add. */
const EVERYWHERE = ['app', 'instance', 'job', 'pod', 'namespace'];

/** Metrics of Prometheus itself, and those of Node that every process serves (prom-client). */
const GIVEN: Record<string, string[]> = {
  up: [],
  process_start_time_seconds: [],
  process_resident_memory_bytes: [],
  process_cpu_seconds_total: [],
  nodejs_eventloop_lag_p99_seconds: [],
  nodejs_heap_size_used_bytes: [],
};

const SELECTOR = /\b([a-z_][a-z0-9_]*)\s*\{([^}]*)\}|\b((?:postrider|process|nodejs)_[a-z0-9_]+|up)\b/g;
const GROUPING = /\b(?:by|on|without)\s*\(([^)]*)\)/g;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** The metrics that the code registers, as they are scraped, each with the labels that it can have. */
export function metricsOfCode(): Map<string, Set<string>> {
  const metrics = new Map(Object.entries(GIVEN).map(([name, labels]) => [name, new Set([...labels, ...EVERYWHERE])]));
  for (const { kind, name, labels } of definedMetrics()) {
    const names = kind === 'Histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
    for (const one of names) {
      const bounds = one.endsWith('_bucket') ? ['le'] : [];
      metrics.set(one, new Set([...labels, ...bounds, ...EVERYWHERE]));
    }
  }
  return metrics;
}

/**
 * Returns the names in a PromQL expression that `metrics` does not have: metrics, their labels, and labels to group by.
 */
export function unknownIn(expression: string, metrics: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const bare = expression.replace(STRINGS, '""').replace(/\$__\w+/g, '5m');
  const used = [...bare.matchAll(SELECTOR)].map(([, name, selectors = '', alone = '']) => ({
    name: name ?? alone,
    labels: [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
  const known = new Set(used.flatMap(({ name }) => [...(metrics.get(name) ?? [])]));
  const grouped = [...bare.matchAll(GROUPING)].flatMap(([, labels = '']) => labels.split(',').map((one) => one.trim()));
  return [
    ...used.filter(({ name }) => !metrics.has(name)).map(({ name }) => name),
    ...used.flatMap(({ name, labels }) =>
      labels.filter((label) => !(metrics.get(name)?.has(label) ?? false)).map((label) => `${name}{${label}}`),
    ),
    ...grouped.filter((label) => label !== '' && !known.has(label)).map((label) => `by (${label})`),
  ];
}

/** A metric as the code defines it. */
interface DefinedMetric {
  kind: string;
  name: string;
  labels: string[];
}

/** Every definition of a metric in the apps and libs; one that several processes define comes several times. */
export function definedMetrics(): DefinedMetric[] {
  return sourceFiles().flatMap((file) => {
    const parts = readFileSync(file, 'utf8').split(DEFINITION);
    return parts.flatMap((kind, place): DefinedMetric[] => {
      if (place % 2 === 0) return [];
      const definition = parts[place + 1] ?? '';
      const name = NAME.exec(definition)?.[1];
      if (name === undefined) return [];
      // `CallTimes` is a histogram too, of our own.
      const kindOfMetric = kind === 'CallTimes' ? 'Histogram' : kind;
      return [{ kind: kindOfMetric, name, labels: LABELS.exec(definition)?.[1]?.match(/\w+/g) ?? [] }];
    });
  });
}

/** The source files of the apps and libs, without specs. */
export function sourceFiles(): string[] {
  return ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(ROOT, kind)).flatMap((project) => {
      const folder = join(ROOT, kind, project, 'src');
      // The guide is made of documents.
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
        .map((file) => join(folder, file));
    }),
  );
}
