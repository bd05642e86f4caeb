import type { HmsPayload } from '@postrider/domain';
import type { MessageEnd } from '../remaining-life';
import type { SendCallback, SendRequest } from '../sender';

/** Huawei's limit of tokens in one request. */
const MAX_TOKENS = 1_000;

/** Devices that get the same, on their way in one request. */
export interface HmsBatch {
  payload: HmsPayload;
  end: MessageEnd;
  /** By token: a token given twice would get the message twice, so it stands once and both are told. */
  waiting: Map<string, SendCallback[]>;
  timer: NodeJS.Timeout;
}

/**
 * Collects sends of the same payload and end for a few milliseconds, so that up to 1,000 devices share one request.
 */
export class HmsBatches {
  readonly #open = new Map<HmsPayload, HmsBatch>();

  constructor(
    private readonly lingerMs: number,
    private readonly flush: (batch: HmsBatch) => void,
  ) {}

  add(request: SendRequest, payload: HmsPayload, done: SendCallback): void {
    let batch = this.#open.get(payload);
    if (batch && !endsWith(batch.end, request)) this.#close(batch);
    batch = this.#open.get(payload) ?? this.#begin(payload, request);
    const others = batch.waiting.get(request.token);
    if (others) others.push(done);
    else batch.waiting.set(request.token, [done]);
    if (batch.waiting.size >= MAX_TOKENS) this.#close(batch);
  }

  /** Sends off everything that waits. */
  flushAll(): void {
    for (const batch of [...this.#open.values()]) this.#close(batch);
  }

  #begin(payload: HmsPayload, { expiresAt, lastCallAt }: MessageEnd): HmsBatch {
    const timer = setTimeout(() => this.#close(batch), this.lingerMs);
    const end = { expiresAt, lastCallAt };
    const batch: HmsBatch = { payload, end, waiting: new Map<string, SendCallback[]>(), timer };
    this.#open.set(payload, batch);
    return batch;
  }

  #close(batch: HmsBatch): void {
    clearTimeout(batch.timer);
    if (this.#open.get(batch.payload) === batch) this.#open.delete(batch.payload);
    this.flush(batch);
  }
}

function endsWith(one: MessageEnd, other: MessageEnd): boolean {
  return one.expiresAt.getTime() === other.expiresAt.getTime() && one.lastCallAt === other.lastCallAt;
}
