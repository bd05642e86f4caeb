import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { TrackersRepository, type TrackerTarget } from '@postrider/persistence';
import { Batcher, CLOCK, createExpiringCache } from '@postrider/platform';
import type { LRUCache } from 'lru-cache';
import { hostsOf } from '../check-tracker';
import type { ClickTarget } from './choose-way';
import { isWeb } from '../link-guard';

/** How long an answer counts as up to date. A change is visible everywhere after it. */
const FRESH_MS = 4_000;
/** How long an old answer is still used while a new one is read, or PostgreSQL is down. */
const KEPT_MS = 600_000;
const KNOWN = 50_000;
/** A cache of its own, so that a flood of invented ids evicts no real one. */
const UNKNOWN = 20_000;
const MOST_WAITING = 10_000;

interface Known {
  target: ClickTarget;
  freshUntil: number;
}

/**
 * Finds trackers by the ids in links. A tracker that was clicked lately comes from memory. The others are looked up in
 * batches, one statement at a time, however many are clicked.
 */
@Injectable()
export class FindTargets {
  readonly #known: LRUCache<string, Known>;
  readonly #unknown: LRUCache<string, true>;
  /** The first of several concurrent clicks on one tracker looks it up for all. */
  readonly #underWay = new Map<string, Promise<ClickTarget | null>>();
  readonly #lookUps: Batcher<string, ClickTarget | null>;

  constructor(
    private readonly trackers: TrackersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.#known = createExpiringCache(clock, KNOWN, KEPT_MS);
    this.#unknown = createExpiringCache(clock, UNKNOWN, FRESH_MS);
    this.#lookUps = new Batcher({ work: (ids) => this.#lookUp(ids), capacity: MOST_WAITING });
  }

  /** @returns null for an unknown tracker; synchronously if it is in memory */
  find(trackerId: string): ClickTarget | null | Promise<ClickTarget | null> {
    const known = this.findKnown(trackerId);
    if (known !== undefined) return known;
    return this.#unknown.get(trackerId) ? null : this.#ask(trackerId);
  }

  /** A tracker that is in memory. Undefined: call `find`. */
  findKnown(trackerId: string): ClickTarget | undefined {
    const now = this.clock.steadyMs();
    const known = this.#known.get(trackerId);
    if (known !== undefined && known.freshUntil <= now) this.#refresh(trackerId, known, now);
    return known?.target;
  }

  /** Removes a tracker that was changed here from the cache. Other gateways see the change within seconds. */
  forget(trackerId: string): void {
    this.#known.delete(trackerId);
    this.#unknown.delete(trackerId);
  }

  /** Reads the target of a link again. Meanwhile clicks get the old answer. */
  #refresh(trackerId: string, known: Known, now: number): void {
    known.freshUntil = now + FRESH_MS;
    this.#ask(trackerId).catch(() => undefined);
  }

  #ask(trackerId: string): Promise<ClickTarget | null> {
    let asked = this.#underWay.get(trackerId);
    if (asked === undefined) {
      asked = this.#lookUps.add(trackerId).finally(() => this.#underWay.delete(trackerId));
      this.#underWay.set(trackerId, asked);
    }
    return asked;
  }

  async #lookUp(trackerIds: string[]): Promise<(ClickTarget | null)[]> {
    const rows = await this.trackers.findTargets(trackerIds);
    const found = new Map(rows.map((row) => [row.trackerId, targetOf(row)]));
    return trackerIds.map((id) => this.#keep(id, found.get(id) ?? null));
  }

  #keep(trackerId: string, target: ClickTarget | null): ClickTarget | null {
    if (target) this.#known.set(trackerId, { target, freshUntil: this.clock.steadyMs() + FRESH_MS });
    else {
      this.#known.delete(trackerId);
      this.#unknown.set(trackerId, true);
    }
    return target;
  }
}

function targetOf(row: TrackerTarget): ClickTarget {
  const { appId, trackerId, deepLink, destination, redirect, platforms, matchByAddress, deferredLinkMinutes } = row;
  return {
    appId,
    trackerId,
    deepLink: deepLink && isWeb(deepLink) ? asBrowsersRead(deepLink) : deepLink,
    destination: destination && asBrowsersRead(destination),
    redirect: redirect && asBrowsersRead(redirect),
    platforms: Object.fromEntries(Object.entries(platforms).map(([name, link]) => [name, asBrowsersRead(link)])),
    hosts: hostsOf(row),
    schemes: row.linkSchemes,
    matchByAddress,
    deferredLinkMinutes,
  };
}

/** A header contains ASCII only. The placeholder of a click's token is kept. */
function asBrowsersRead(link: string): string {
  return URL.canParse(link) ? new URL(link).href : link;
}
