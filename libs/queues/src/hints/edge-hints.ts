import type { OnApplicationShutdown } from '@nestjs/common';
import type { QueuePool } from '../client/queue-pool';
import type { RedisClient } from '../connection/create-redis';
import { QUEUE_PREFIX } from '../jobs';

/** Stands among the ids of messages: there are connections to close. */
const CLOSURES = 'closures';

/** The channel on which an edge is told that something waits for its connections. */
function hintChannel(edgeId: string, prefix = QUEUE_PREFIX): string {
  return `${prefix}:edge:${edgeId}`;
}

/** The channel on which all edges are told what devices of an application report. */
function eventChannel(prefix = QUEUE_PREFIX): string {
  return `${prefix}:device-events`;
}

/** As many as the largest request has messages; an edge that is not told of more finds them within a second. */
const MOST_WORDS = 10_000;

/**
 * Tells edges that messages wait for devices which are connected there, or that connections have to end. Best effort: an
 * edge looks into the ledger by itself every second, so a hint that is lost costs that second and nothing else. What is
 * told while Redis answers goes together in the next call.
 *
 * No `Batcher`: what waits for an edge is a set, in which a word stands once, and every edge has room of its own, so that it stays
 * small however long Redis is away.
 */
export class EdgeHints {
  readonly #waiting = new Map<string, Set<string>>();
  #isUnderWay = false;

  constructor(private readonly queues: QueuePool) {}

  /** A message waits there. Returns at once and never throws. */
  tell(edgeIds: readonly string[], messageId: string): void {
    this.#tell(edgeIds, messageId);
  }

  /** There are connections that they have to close. Returns at once and never throws. */
  tellClosures(edgeIds: readonly string[]): void {
    this.#tell(edgeIds, CLOSURES);
  }

  #tell(edgeIds: readonly string[], word: string): void {
    for (const edgeId of edgeIds) {
      const words = this.#waiting.get(edgeId);
      if (words === undefined) this.#waiting.set(edgeId, new Set([word]));
      else if (words.size < MOST_WORDS || word === CLOSURES) words.add(word);
    }
    if (this.#isUnderWay || this.#waiting.size === 0) return;
    this.#isUnderWay = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    while (this.#waiting.size > 0) {
      const told = [...this.#waiting];
      this.#waiting.clear();
      await this.#publish(told).catch(() => undefined);
    }
    this.#isUnderWay = false;
  }

  async #publish(told: readonly [string, Set<string>][]): Promise<void> {
    await this.queues.publish(
      told.map(([edgeId, words]) => [hintChannel(edgeId, this.queues.prefix), [...words].join(' ')] as const),
    );
  }
}

/** What an edge is told. */
export interface EdgeListener {
  /** Messages wait for devices that are connected here. */
  onHint(messageIds: string[]): void;
  /** Connections that are held here have to be closed. */
  onClosures(): void;
  /** Another edge passes on what a device reported. */
  onEvent(text: string): void;
}

/**
 * Listens on Redis for one edge. Nothing depends on it: whoever listens looks into the ledger as well. Connects when it
 * is first asked to listen, and by itself again for ever.
 */
export class HintListener implements OnApplicationShutdown {
  #redis: RedisClient | undefined;

  constructor(
    private readonly connect: () => RedisClient,
    private readonly queues: QueuePool,
  ) {}

  /** Begins to listen; returns at once. To be called once. */
  listen(edgeId: string, listener: EdgeListener): void {
    const hints = hintChannel(edgeId, this.queues.prefix);
    const events = eventChannel(this.queues.prefix);
    const redis = (this.#redis = this.connect());
    redis.on('message', (channel: string, text: string) => {
      if (channel === hints) dispatch(listener, text.split(' '));
      else if (channel === events) listener.onEvent(text);
    });
    // ioredis subscribes again whenever it has connected again.
    redis.subscribe(hints, events).catch(() => undefined);
  }

  /** Passes on to the other edges what a device reported. @throws QueueUnavailable, within a second */
  async tellEvent(text: string): Promise<void> {
    await this.queues.publish([[eventChannel(this.queues.prefix), text]]);
  }

  onApplicationShutdown(): void {
    this.#redis?.disconnect();
  }
}

function dispatch(listener: EdgeListener, words: readonly string[]): void {
  const messageIds = words.filter((word) => word !== CLOSURES);
  if (messageIds.length > 0) listener.onHint(messageIds);
  if (messageIds.length < words.length) listener.onClosures();
}
