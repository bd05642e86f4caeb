import { withoutTrailing } from '@postrider/domain';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Attributes,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import { TunnelAgent } from '../proxy/tunnel-agent';
import type { HttpsProxy } from '../config/https-proxy';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { firstSpanOf, isSampled, newSpanId, type SpanPlace } from './span-place';
import { type SpanCounts, WatchedExporter } from './watched-exporter';
import type { FinishedWork, SpanFacts, SpanSink } from './traces';

/** Spans that wait or are under way: what comes then is lost. A span is about 1 kB. */
const MOST_HELD = 4_096;
const SPANS_AT_ONCE = 512;
/** Finished work is seen at the collector after this time. */
const DELAY_MS = 1_000;
/** The process stops within 20 s; a collector that does not answer has this much of it. */
const CLOSE_WITHIN_MS = 3_000;
const SCOPE = { name: 'postrider' };

/** The process, and the address that its spans go to. */
interface OtlpOptions {
  app: string;
  instanceId: string;
  /** The base address of an OTLP/HTTP collector. */
  endpoint: string;
  /** The share of traces that is kept, from 0 to 1. */
  share: number;
  counts: SpanCounts;
  /** The proxy that leads out, if there is one. */
  proxy?: HttpsProxy | undefined;
}

/**
 * Hands spans to a collector by OTLP over HTTP, some at a time and in the background. What the collector does not take within
 * OpenTelemetry's own tries is lost; so is what comes while more is held than may be. Headers (`OTEL_EXPORTER_OTLP_HEADERS`), the
 * time limit of a call and attributes of the process (`OTEL_RESOURCE_ATTRIBUTES`) are those that OpenTelemetry reads itself.
 */
export class OtlpSink implements SpanSink {
  readonly #resource: Resource;
  readonly #exporter: WatchedExporter;
  readonly #batches: BatchSpanProcessor;

  constructor(private readonly options: OtlpOptions) {
    const { app, instanceId, endpoint, counts, proxy } = options;
    this.#resource = detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({ 'service.name': `postrider-${app}`, 'service.instance.id': instanceId }),
    );
    const url = `${withoutTrailing(endpoint, '/')}/v1/traces`;
    const through = proxy?.for(new URL(url));
    this.#exporter = new WatchedExporter(
      new OTLPTraceExporter({ url, ...(through ? { httpAgentOptions: () => new TunnelAgent(through) } : {}) }),
      counts,
    );
    this.#batches = new BatchSpanProcessor(this.#exporter, {
      maxQueueSize: MOST_HELD,
      maxExportBatchSize: SPANS_AT_ONCE,
      scheduledDelayMillis: DELAY_MS,
    });
  }

  record(work: FinishedWork): void {
    const span = this.#spanOf(work);
    if (!isSampled(span.spanContext().traceId, this.options.share)) return;
    if (this.#exporter.held >= MOST_HELD) this.options.counts.lost(1);
    else {
      this.#exporter.expect();
      this.#batches.onEnd(span);
    }
  }

  async close(): Promise<void> {
    const closed = new AbortController();
    const limit = pause(CLOSE_WITHIN_MS, undefined, { signal: closed.signal }).catch(() => undefined);
    await Promise.race([this.#batches.shutdown().catch(() => undefined), limit]);
    closed.abort();
  }

  #spanOf({ name, kind = 'internal', place, links = [], startedAt, facts, failure }: FinishedWork): ReadableSpan {
    const context = contextOf(ownPlace(place));
    const endedAt = Date.now();
    const durationMs = Math.max(0, performance.now() - startedAt);
    return {
      name,
      kind: KINDS[kind],
      spanContext: () => context,
      ...('within' in place ? { parentSpanContext: contextOf(place.within) } : {}),
      startTime: hrTimeOf(endedAt - durationMs),
      endTime: hrTimeOf(endedAt),
      duration: hrTimeOf(durationMs),
      ended: true,
      status: failure === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: failure },
      attributes: attributesOf(facts),
      links: links.map((link) => ({ context: contextOf(link) })),
      events: [],
      resource: this.#resource,
      instrumentationScope: SCOPE,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

function ownPlace(place: FinishedWork['place']): SpanPlace {
  if ('first' in place) return place.first;
  const { traceId } = 'within' in place ? place.within : firstSpanOf(place.about);
  return { traceId, spanId: newSpanId() };
}

function contextOf(place: SpanPlace): SpanContext {
  return { ...place, traceFlags: TraceFlags.SAMPLED, isRemote: false };
}

function hrTimeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}

/** OpenTelemetry's own names have a dot in them; all others are ours. */
function attributesOf(facts: SpanFacts): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(facts)) {
    if (value !== null && value !== undefined) attributes[name.includes('.') ? name : `postrider.${name}`] = value;
  }
  return attributes;
}
