import type { HmsPayload } from '@postrider/domain';
import type { SendCallback, SendRequest } from '../sender';

/** Huawei's limit of tokens in one request. */
const MAX_TOKENS = 1_000;
const MAX_TTL_SECONDS = 1_296_000;

/** Devices that get the same, on their way in one request. */
export interface HmsBatch {
  payload: HmsPayload;
  ttlSeconds: number;
  /** By token: a token given twice would get the message twice, so it stands once and both are told. */
  waiting: Map<string, SendCallback[]>;
  timer: NodeJS.Timeout;
}

/**
 * Collects sends of the same payload and life for a few milliseconds, so that up to 1,000 devices share one request.
 */
export class HmsBatches {
  readonly #open = new Map<HmsPayload, HmsBatch>();

  constructor(
    private readonly lingerMs: number,
    private readonly flush: (batch: HmsBatch) => void,
  ) {}

  add(request: SendRequest, payload: HmsPayload, done: SendCallback): void {
    const ttlSeconds = Math.min(request.ttlSeconds, MAX_TTL_SECONDS);
    let batch = this.#open.get(payload);
    // Seconds passed since the batch was begun: what is left of the message's life is another number.
    if (batch && batch.ttlSeconds !== ttlSeconds) this.#close(batch);
    batch = this.#open.get(payload) ?? this.#begin(payload, ttlSeconds);
    const others = batch.waiting.get(request.token);
    if (others) others.push(done);
    else batch.waiting.set(request.token, [done]);
    if (batch.waiting.size >= MAX_TOKENS) this.#close(batch);
  }

  /** Sends off everything that waits. */
  flushAll(): void {
    for (const batch of [...this.#open.values()]) this.#close(batch);
  }

  #begin(payload: HmsPayload, ttlSeconds: number): HmsBatch {
    const timer = setTimeout(() => this.#close(batch), this.lingerMs);
    const batch: HmsBatch = { payload, ttlSeconds, waiting: new Map<string, SendCallback[]>(), timer };
    this.#open.set(payload, batch);
    return batch;
  }

  #close(batch: HmsBatch): void {
    clearTimeout(batch.timer);
    if (this.#open.get(batch.payload) === batch) this.#open.delete(batch.payload);
    this.flush(batch);
  }
}
