import type { Aggregator, Metric, MetricValueWithName, Registry } from 'prom-client';

/** How a histogram is published. */
interface CallTimesOptions {
  name: string;
  help: string;
  /** The one label that tells its series apart. */
  labelNames: readonly [string];
  /** Upper bounds in seconds, ascending. */
  buckets: readonly number[];
  registry: Registry;
}

/**
 * One series: the number of observations at or below each bound and above the bound before it, and the number above the
 * last.
 */
class Series {
  readonly counts: Float64Array;
  sum = 0;
  count = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** @param seconds how long it took */
  observe(seconds: number): void {
    let place = 0;
    while (place < this.bounds.length && seconds > (this.bounds[place] as number)) place += 1;
    this.counts[place] = (this.counts[place] as number) + 1;
    this.sum += seconds;
    this.count += 1;
  }
}

/**
 * A histogram of times for what happens many thousand times a second: an observation counts into an array. One of prom-client's
 * checks and hashes its labels with each observation: 0.26 in place of 0.03 µs.
 */
export class CallTimes {
  readonly #series = new Map<string, Series>();

  constructor(private readonly options: CallTimesOptions) {
    const { name, help, registry } = options;
    // The registry uses only a metric's name and its values.
    registry.registerMetric({ name, help, get: () => Promise.resolve(this.#read()) } as unknown as Metric);
  }

  /** Records the time of one call. @param value the label's value */
  observe(value: string, seconds: number): void {
    let series = this.#series.get(value);
    if (series === undefined) this.#series.set(value, (series = new Series(this.options.buckets)));
    series.observe(seconds);
  }

  #read(): { name: string; help: string; type: string; aggregator: Aggregator; values: MetricValueWithName<string>[] } {
    const { name, help } = this.options;
    const values = [...this.#series].flatMap(([value, series]) => this.#valuesOf(value, series));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  /** As Prometheus has them: each bucket counts all that is at or below its bound. */
  #valuesOf(value: string, { counts, sum, count }: Series): MetricValueWithName<string>[] {
    const {
      name,
      labelNames: [label],
      buckets,
    } = this.options;
    let below = 0;
    const ofBuckets = [...buckets, '+Inf'].map((le, place) => ({
      metricName: `${name}_bucket`,
      labels: { le, [label]: value },
      value: (below += counts[place] ?? 0),
    }));
    const labels = { [label]: value };
    return [
      ...ofBuckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
