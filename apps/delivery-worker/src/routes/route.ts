import type { DeliveryVendor, Lane } from '@postrider/domain';
import type { Sender } from '@postrider/vendors';
import type { PageRun } from '../pages/page-run';
import type { BreakerOpening, RouteBreaker } from './route-breaker';
import { TokenWatch } from '../tokens/token-watch';

/** When a route reopens, its pages come back spread over at most this time. */
const SPREAD_MS = 1_000;

/** A page whose route is not held, but that has devices held back, waits this long. */
const HELD_BACK_MS = 5_000;

/** A route with this many pages in hand and its first one in hand for this long is slow: it takes no more for now. */
const BUSY_PAGES = 8;
const SLOW_AFTER_MS = 3_000;

/** Hears of a route's ups and downs, once for each. */
export interface RouteListener {
  held(route: Route, why: BreakerOpening): void;
  resumed(route: Route): void;
}

/** One application at one vendor: its sender, whether it works, and the pages that wait for it in this process. */
export class Route {
  /** Null: there is nothing to send with. */
  sender: Sender | null = null;
  /** What the sender was made from. */
  revision: string | null = null;
  inFlight = 0;
  readonly tokens = new TokenWatch();
  readonly #runs: Record<Lane, PageRun[]> = { transactional: [], campaign: [] };
  #headSince = 0;

  constructor(
    readonly appId: string,
    readonly vendor: DeliveryVendor,
    readonly breaker: RouteBreaker,
    private readonly listener: RouteListener,
  ) {}

  /** Whether a call may be started now, as far as this route is concerned. */
  canSend(now: number): boolean {
    if (this.sender === null || this.breaker.isHolding(now)) return false;
    return this.breaker.state === 'closed' ? this.sender.capacity.free() > 0 : this.inFlight === 0;
  }

  /** Whether the pages in hand are so slow that others should not wait behind them. */
  isBusy(now: number): boolean {
    return this.#runs.campaign.length >= BUSY_PAGES && now - this.#headSince > SLOW_AFTER_MS;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.#runs.transactional.length + this.#runs.campaign.length === 0;
  }

  add(run: PageRun, now: number): void {
    const lane = this.#runs[run.page.lane];
    if (lane.push(run) === 1) this.#headSince = now;
  }

  /** The page to send from next: named users first, within a lane the one that came first. */
  nextRun(now: number): PageRun | null {
    return this.#nextOf('transactional', now) ?? this.#nextOf('campaign', now);
  }

  /** Holds the route: every page in hand stops. */
  hold(why: BreakerOpening): void {
    for (const run of this.#runs.transactional.concat(this.#runs.campaign)) run.stop('held');
    this.listener.held(this, why);
  }

  /** The route works again. */
  resume(): void {
    this.listener.resumed(this);
  }

  /** When a page of this route is worth claiming again. */
  resumesAt(now: Date): Date {
    const from = this.breaker.isHolding(now.getTime()) ? this.breaker.openUntil : now.getTime() + HELD_BACK_MS;
    return new Date(from + Math.random() * SPREAD_MS);
  }

  #nextOf(lane: Lane, now: number): PageRun | null {
    const runs = this.#runs[lane];
    while (runs.length > 0 && !(runs[0] as PageRun).hasNext) {
      runs.shift();
      this.#headSince = now;
    }
    return runs.find((run) => run.hasNext && !run.isPaused) ?? null;
  }
}
