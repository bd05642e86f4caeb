import { Queue } from 'bullmq';
import type { ProducerConnection } from '../connection/producer-connection';

/** The BullMQ `Queue` of each name, made when first asked for, all on one connection. */
export class QueuePool {
  readonly #queues = new Map<string, Queue>();

  constructor(
    private readonly connection: ProducerConnection,
    readonly prefix: string,
  ) {}

  get(name: string): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = new Queue(name, { connection: this.connection.redis, prefix: this.prefix });
    // The connection's own listener logs outages; without one here the same error would be thrown.
    queue.on('error', () => undefined);
    this.#queues.set(name, queue);
    return queue;
  }

  /** @throws QueueUnavailable, within a second */
  use<T>(name: string, work: (queue: Queue) => Promise<T>): Promise<T> {
    return this.connection.use(() => work(this.get(name)));
  }

  /** Asks Redis for a sign of life. @throws QueueUnavailable, within a second */
  async ping(): Promise<void> {
    await this.connection.use(() => this.connection.redis.ping());
  }

  /** The id of the last event of a queue. @throws QueueUnavailable, within a second */
  lastEventId(name: string): Promise<string> {
    return this.use(name, async (queue) => {
      const last = await this.connection.redis.xrevrange(queue.toKey('events'), '+', '-', 'COUNT', 1);
      return last[0]?.[0] ?? '0-0';
    });
  }

  /** Publishes texts on channels, all in one round. @throws QueueUnavailable, within a second */
  async publish(texts: readonly (readonly [channel: string, text: string])[]): Promise<void> {
    await this.connection.use(() =>
      Promise.all(texts.map(([channel, text]) => this.connection.redis.publish(channel, text))),
    );
  }

  async close(): Promise<void> {
    this.connection.close();
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
  }
}
