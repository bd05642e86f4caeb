import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { QueuePool } from '../client/queue-pool';
import type { RedisClient } from '../connection/create-redis';

/** Sent among the ids of messages: there are connections to close. */
const CLOSURES = 'closures';

/** The channel of hints that something waits for an edge's connections. */
function hintChannel(edgeId: string, prefix: string): string {
  return `${prefix}:edge:${edgeId}`;
}

/** The channel on which all edges get the events that devices of an application publish. */
function eventChannel(prefix: string): string {
  return `${prefix}:device-events`;
}

/** The number of messages of the largest request. An edge finds further ones itself within a second. */
const MOST_WORDS = 10_000;

/**
 * Tells edges that messages wait for devices that are connected there, or that connections have to end. Best effort: an
 * edge reads the ledger itself every second, so a lost hint only costs that second. Hints that come while Redis answers
 * are sent together in the next call.
 *
 * Not a `Batcher`: what waits for an edge is a set without duplicates, and every edge has a limit of its own, so that
 * it stays small however long Redis is down.
 */
@Injectable()
export class EdgeHints {
  readonly #waiting = new Map<string, Set<string>>();
  #isUnderWay = false;

  constructor(private readonly queues: QueuePool) {}

  /** Tells that a message waits there. Returns at once and never throws. */
  tell(edgeIds: readonly string[], messageId: string): void {
    this.#tell(edgeIds, messageId);
  }

  /** Tells that there are connections to close. Returns at once and never throws. */
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

/** The hints that an edge gets. */
interface EdgeListener {
  /** Messages wait for devices that are connected to this edge. */
  onHint(messageIds: string[]): void;
  /** Connections of this edge have to be closed. */
  onClosures(): void;
  /** Another edge sends what a device published. */
  onEvent(text: string): void;
}

/**
 * Listens on Redis for one edge. Nothing depends on it, because the listener also reads the ledger. It connects on the
 * first call of `listen`, and reconnects for ever.
 */
export class HintListener implements OnApplicationShutdown {
  #redis: RedisClient | undefined;

  constructor(
    private readonly connect: () => RedisClient,
    private readonly queues: QueuePool,
  ) {}

  /** Begins to listen. Returns at once. Call it once. */
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

  /** Sends what a device published to the other edges. @throws QueueUnavailable, within a second */
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
