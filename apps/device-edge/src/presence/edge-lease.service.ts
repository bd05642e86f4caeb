import { Injectable } from '@nestjs/common';
import { SECOND_MS } from '@postrider/domain';
import { EDGE_SILENCE_MS } from '@postrider/persistence';

/** Less than the silence after which other processes consider an edge dead. */
const HELD_MS = EDGE_SILENCE_MS - SECOND_MS;

/**
 * Whether the other processes rely on this edge to close connections and to withdraw messages. They do not wait for an edge
 * that they consider dead: a registration by another user is answered although the former user's connection may be open. So
 * an edge that stood still, or did not reach PostgreSQL, publishes nothing until it has learned what happened meanwhile.
 */
@Injectable()
export class EdgeLease {
  /** On the monotonic clock. */
  #untilMs = -Infinity;
  #isCaughtUp = false;
  #losses = 0;

  /** True if messages may be published. */
  get isHeld(): boolean {
    return this.#isCaughtUp && performance.now() < this.#untilMs;
  }

  /** True if `catchUp` is needed. */
  get isLost(): boolean {
    return !this.#isCaughtUp;
  }

  /**
   * Takes account of a heartbeat that was written.
   *
   * @param beganMs when its statement began, on the monotonic clock
   * @param wasDead true if the edge was considered dead before the heartbeat
   */
  renew(beganMs: number, wasDead: boolean): void {
    if (wasDead || performance.now() >= this.#untilMs) {
      this.#isCaughtUp = false;
      this.#losses++;
    }
    this.#untilMs = beganMs + HELD_MS;
  }

  /** Runs `work`, which learns what happened while the lease was lost. It does not count if the lease is lost again meanwhile. */
  async catchUp(work: () => Promise<void>): Promise<void> {
    const losses = this.#losses;
    await work();
    if (losses === this.#losses) this.#isCaughtUp = true;
  }
}
