import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { TrackersRepository, type TrackerTarget } from '@postrider/persistence';
import { CLOCK, createExpiringCache } from '@postrider/platform';
import type { LRUCache } from 'lru-cache';
import { hostsOf } from '../judge-tracker';
import type { ClickTarget } from '../tracker';

/** How long an answer is taken for true; a change shows everywhere after it. */
const FRESH_MS = 4_000;
/** How long an old answer still serves while a new one is looked for, or PostgreSQL is away. */
const KEPT_MS = 600_000;
const KNOWN = 50_000;
/** Apart from the known ones, so that a flood of invented ids pushes no real one out. */
const UNKNOWN = 20_000;
const IDS_AT_ONCE = 500;
const MOST_WAITING = 10_000;

interface Known {
  target: ClickTarget;
  freshUntil: number;
}

type Waiting = { resolve: (target: ClickTarget | null) => void; reject: (error: unknown) => void }[];

/**
 * Finds trackers by the ids in links. One that was clicked lately comes from memory; the others are looked up together, one
 * statement at a time, however many are clicked.
 */
@Injectable()
export class FindTargets {
  readonly #known: LRUCache<string, Known>;
  readonly #unknown: LRUCache<string, true>;
  #waiting = new Map<string, Waiting>();
  #isUnderWay = false;

  constructor(
    private readonly trackers: TrackersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.#known = createExpiringCache(clock, KNOWN, KEPT_MS);
    this.#unknown = createExpiringCache(clock, UNKNOWN, FRESH_MS);
  }

  /** @returns null for an unknown tracker; at once when it is in memory */
  find(trackerId: string): ClickTarget | null | Promise<ClickTarget | null> {
    const known = this.findKnown(trackerId);
    if (known !== undefined) return known;
    return this.#unknown.get(trackerId) ? null : this.#ask(trackerId);
  }

  /** One that is in memory; undefined: `find` it. */
  findKnown(trackerId: string): ClickTarget | undefined {
    const now = this.clock.now().getTime();
    const known = this.#known.get(trackerId);
    if (known !== undefined && known.freshUntil <= now) this.#refresh(trackerId, known, now);
    return known?.target;
  }

  /** Forgets a tracker that was changed here; other gateways see the change within seconds. */
  forget(trackerId: string): void {
    this.#known.delete(trackerId);
    this.#unknown.delete(trackerId);
  }

  /** Whoever clicks meanwhile gets the old answer. */
  #refresh(trackerId: string, known: Known, now: number): void {
    known.freshUntil = now + FRESH_MS;
    this.#ask(trackerId).catch(() => undefined);
  }

  #ask(trackerId: string): Promise<ClickTarget | null> {
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(trackerId);
      if (others !== undefined) {
        others.push({ resolve, reject });
        return;
      }
      if (this.#waiting.size >= MOST_WAITING) {
        reject(new Error('Too many unknown trackers at once'));
        return;
      }
      this.#waiting.set(trackerId, [{ resolve, reject }]);
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      setImmediate(() => void this.#answerAll());
    });
  }

  async #answerAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const ids = [...this.#waiting.keys()].slice(0, IDS_AT_ONCE);
      const asked = ids.map((id) => [id, this.#waiting.get(id) ?? []] as const);
      for (const id of ids) this.#waiting.delete(id);
      try {
        const found = await this.trackers.findTargets(ids);
        this.#note(asked, new Map(found.map((row) => [row.trackerId, targetOf(row)])));
      } catch (error) {
        for (const [, waiting] of asked) for (const { reject } of waiting) reject(error);
      }
    }
    this.#isUnderWay = false;
  }

  #note(asked: readonly (readonly [string, Waiting])[], found: ReadonlyMap<string, ClickTarget>): void {
    const now = this.clock.now().getTime();
    for (const [id, waiting] of asked) {
      const target = found.get(id) ?? null;
      if (target) this.#known.set(id, { target, freshUntil: now + FRESH_MS });
      else {
        this.#known.delete(id);
        this.#unknown.set(id, true);
      }
      for (const { resolve } of waiting) resolve(target);
    }
  }
}

function targetOf(row: TrackerTarget): ClickTarget {
  const { appId, trackerId, deepLink, destination, redirect, platforms, matchByAddress, deferredLinkMinutes } = row;
  return {
    appId,
    trackerId,
    deepLink: deepLink && /^https?:/i.test(deepLink) ? asBrowsersRead(deepLink) : deepLink,
    destination: destination && asBrowsersRead(destination),
    redirect: redirect && asBrowsersRead(redirect),
    platforms: Object.fromEntries(Object.entries(platforms).map(([name, link]) => [name, asBrowsersRead(link)])),
    hosts: hostsOf(row),
    schemes: row.linkSchemes,
    matchByAddress,
    deferredLinkMinutes,
  };
}

/** A header takes ASCII alone. The place of a click's token stays one. */
function asBrowsersRead(link: string): string {
  return URL.canParse(link) ? new URL(link).href : link;
}
