import type { OnApplicationShutdown } from '@nestjs/common';
import type { SpanPlace } from './span-place';

/** Facts about a piece of work. Counts, ids and codes: never a token, a user or a message's content. */
export type SpanFacts = Record<string, string | number | boolean | null | undefined>;

/** A piece of work that has ended. */
export interface FinishedWork {
  /** The work, verb first and without ids: `attempt page`. */
  name: string;
  /** `server` if it answered a request, `client` if it made one, else `internal`. */
  kind?: 'server' | 'client' | 'internal';
  /**
   * The place in a trace: it is the `first` of its trace, at a place that other processes know; it happened `within`
   * another span; or it belongs to the trace of an id without being its first span.
   */
  place: { first: SpanPlace } | { within: SpanPlace } | { about: string };
  /** Spans of other traces that have to do with it. */
  links?: readonly SpanPlace[];
  /** The value of `performance.now()` at the start. */
  startedAt: number;
  /** Null and undefined ones are left out. */
  facts: SpanFacts;
  /** The error, if the work caused it. */
  failure?: string | undefined;
}

/** The destination of spans. */
export interface SpanSink {
  record(work: FinishedWork): void;
  /** Hands over the spans that are still held, within a few seconds. */
  close(): Promise<void>;
}

/**
 * Takes finished work for a collector of traces; without a collector it does nothing. A caller that would have to
 * compute its facts looks at `isOn` first.
 */
export class Traces implements OnApplicationShutdown {
  constructor(private readonly sink: SpanSink | null = null) {}

  /** True if anybody collects. */
  get isOn(): boolean {
    return this.sink !== null;
  }

  /** Records finished work as a span. Never throws and never waits. */
  record(work: FinishedWork): void {
    this.sink?.record(work);
  }

  /** Runs last before the process ends: by then all work has ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.sink?.close();
  }
}
