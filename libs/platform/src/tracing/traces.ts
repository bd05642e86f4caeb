import type { OnApplicationShutdown } from '@nestjs/common';
import type { SpanPlace } from './span-place';

/** What may be told of a piece of work. Counts, ids and codes: never a token, a user or what a message says. */
export type SpanFacts = Record<string, string | number | boolean | null | undefined>;

/** A piece of work that has ended. */
export interface FinishedWork {
  /** What was done, verb first and without ids: `attempt page`. */
  name: string;
  /** True if it answered somebody, asked somebody, or neither. */
  kind?: 'server' | 'client' | 'internal';
  /**
   * Where it stands: it is the `first` of its trace, at a place that others know; it happened `within` another span; or its trace
   * is that of what an id names and of which no work is the first.
   */
  place: { first: SpanPlace } | { within: SpanPlace } | { about: string };
  /** Spans of other traces that have to do with it. */
  links?: readonly SpanPlace[];
  /** From `performance.now()`. */
  startedAt: number;
  /** Null and undefined ones are left out. */
  facts: SpanFacts;
  /** What went wrong, where that is the work's fault. */
  failure?: string | undefined;
}

/** Where spans go. */
export interface SpanSink {
  record(work: FinishedWork): void;
  /** Hands over what is still held, within a few seconds. */
  close(): Promise<void>;
}

/**
 * Takes the work that has ended, for whoever collects traces; without a collector it does nothing. A caller that would have to
 * compute what it tells looks at `isOn` first.
 */
export class Traces implements OnApplicationShutdown {
  constructor(private readonly sink: SpanSink | null = null) {}

  /** True if anybody collects. */
  get isOn(): boolean {
    return this.sink !== null;
  }

  /** Never throws and never waits. */
  record(work: FinishedWork): void {
    this.sink?.record(work);
  }

  /** The last thing before the process ends: by then all work has ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.sink?.close();
  }
}
