import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '@postrider/persistence';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '@postrider/domain';

const APPLICATIONS = 1_000;
const PATIENCE_MS = 1_000;
const LONGEST_KEPT_MS = MINUTE_MS;
/**
 * A count is cached for this many times as long as it took, so that counting never takes more than a tenth of one
 * connection's time.
 */
const KEPT_TIMES = 10;

/** Counts an application's devices that have not proved their user. The count is exact if it is quick to compute. */
@Injectable()
export class CountUnproved {
  readonly #counts = new LRUCache<string, { count: number; freshUntil: number }>({
    max: APPLICATIONS,
    ttl: LONGEST_KEPT_MS,
  });
  readonly #underWay = new Map<string, Promise<number | null>>();

  constructor(private readonly devices: DevicesRepository) {}

  /** @returns null if there is none yet, because it is being counted */
  async of(appId: string): Promise<number | null> {
    const now = performance.now();
    const known = this.#counts.get(appId);
    if (known && known.freshUntil > now) return known.count;
    const counting = this.#underWay.get(appId) ?? this.#count(appId);
    return Promise.race([counting, pause(PATIENCE_MS, known?.count ?? null, { ref: false })]);
  }

  #count(appId: string): Promise<number | null> {
    const startedAt = performance.now();
    const counting = this.devices
      .countUnproved(appId)
      .then((count) => {
        const now = performance.now();
        const freshUntil = now + Math.min(LONGEST_KEPT_MS, KEPT_TIMES * (now - startedAt));
        this.#counts.set(appId, { count, freshUntil });
        return count;
      })
      .catch(() => null)
      .finally(() => this.#underWay.delete(appId));
    this.#underWay.set(appId, counting);
    return counting;
  }
}
