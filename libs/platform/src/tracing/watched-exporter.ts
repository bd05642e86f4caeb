import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

type Done = Parameters<SpanExporter['export']>[1];

/** Told of what becomes of spans. */
export interface SpanCounts {
  delivered(spans: number): void;
  /** @param error why, where the collector did not take them; none where too many were waiting */
  lost(spans: number, error?: Error): void;
}

/** An exporter that knows how many spans are on their way to it and in its hands, and reports their fate. */
export class WatchedExporter implements SpanExporter {
  #held = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly counts: SpanCounts,
  ) {}

  /** Spans that are expected, or not yet taken by the collector or lost. */
  get held(): number {
    return this.#held;
  }

  /** Announces one more span to export. */
  expect(): void {
    this.#held += 1;
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.exporter.export(spans, ({ code, error }) => {
      this.#held -= spans.length;
      if (code === ExportResultCode.SUCCESS) this.counts.delivered(spans.length);
      else this.counts.lost(spans.length, error ?? new Error('The collector did not take them'));
      // The error is reported above, once; OpenTelemetry would report a failure here a second time.
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
