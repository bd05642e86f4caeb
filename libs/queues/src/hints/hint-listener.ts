import type { OnApplicationShutdown } from '@nestjs/common';
import type { RedisClient } from '../connection/create-redis';
import type { QueuePool } from '../client/queue-pool';
import { CLOSURES, eventChannel, hintChannel } from './hint-channel';

/** What an edge wants to hear. */
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
