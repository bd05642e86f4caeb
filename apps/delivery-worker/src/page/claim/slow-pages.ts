import { MINUTE_MS } from '@postrider/domain';
import { isDatabaseUnavailable } from '@postrider/persistence';
import { describeFailure, type Logger, RepeatedWarning } from '@postrider/platform';
import { LRUCache } from 'lru-cache';
import type { PageEnd } from '../run/page-run';
import { AWAY_MS, SMALL_PAGES_AT_ONCE } from './page-limit';

/** A page's job waits this long for the page's end. */
const SLOW_AFTER_MS = 1_000;
/** If this many pages of a route are slow, the next one is hardly quicker: its job waits for a moment only. */
const MANY_OF_ROUTE = 16;
const MOMENT_MS = 100;
/** Jobs that find no place among the slow pages of their route come back one after the other. */
const BETWEEN_MS = 2;
/** More pages than end while the jobs of slow ones are away. */
const MOST_ENDS_KEPT = 10_000;
/** A page without anything left to claim may be due again after a minute. */
const END_KEPT_MS = MINUTE_MS;

const STILL_GOING = Symbol('still going');

/** The slow pages of one route. */
class SlowRoute {
  readonly pages = new Set<string>();
  /** When the last job that was sent away comes back. From `performance.now()`. */
  backAt = 0;
}

/**
 * Pages of named users that go on although their jobs no longer wait for them. A worker takes a limited number of jobs of
 * a vendor at a time. If the vendor does not answer one application, or its route waits for one call that shows if the
 * vendor works again, the application's pages take as long as calls may take. Their jobs make room for the pages of
 * other applications meanwhile.
 */
export class SlowPages {
  readonly #routes = new Map<string, SlowRoute>();
  readonly #going = new Set<Promise<unknown>>();
  /** Pages that need no further work, whose jobs do not know it yet. */
  readonly #over = new LRUCache<string, true>({
    max: MOST_ENDS_KEPT,
    ttl: END_KEPT_MS,
    perf: { now: () => performance.now() },
  });
  readonly #postponed: RepeatedWarning;

  /** @param slowAfterMs how long a page's job waits for the page's end, while few pages of its route are slow */
  constructor(
    private readonly logger: Logger,
    private readonly slowAfterMs = SLOW_AFTER_MS,
  ) {
    this.#postponed = new RepeatedWarning(logger, 'page.postponed');
  }

  /**
   * Returns how long a page's job must stay away, because the page goes on or the route has too many slow ones. 0: not
   * at all.
   */
  awayMs(route: string, pageId: string): number {
    const slow = this.#routes.get(route);
    if (slow === undefined) return 0;
    if (slow.pages.has(pageId)) return AWAY_MS;
    // A route may have as many slow ones as the worker has in hand of a vendor that is quick.
    if (slow.pages.size < SMALL_PAGES_AT_ONCE) return 0;
    const now = performance.now();
    slow.backAt = Math.max(now + AWAY_MS, slow.backAt + BETWEEN_MS);
    return slow.backAt - now;
  }

  /**
   * True, once, if the page came to its end while its job was away. Without this, the job would try the page again; where a
   * claim takes longer than a job waits for it, it would be sent away again and never end, and such jobs alone would keep the
   * worker so busy that claims take this long.
   */
  wasOver(pageId: string): boolean {
    const isOver = this.#over.get(pageId) === true;
    this.#over.delete(pageId);
    return isOver;
  }

  /** Returns the page's end if it comes soon; otherwise when the job is to ask again, and the page goes on by itself. */
  async endSoon(route: string, pageId: string, end: Promise<PageEnd | null>): Promise<PageEnd | null> {
    const isSlow = (this.#routes.get(route)?.pages.size ?? 0) >= MANY_OF_ROUTE;
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<typeof STILL_GOING>((resolve) => {
      timer = setTimeout(resolve, isSlow ? MOMENT_MS : this.slowAfterMs, STILL_GOING);
    });
    const first = await Promise.race([end, enough]).finally(() => clearTimeout(timer));
    if (first !== STILL_GOING) return first;
    this.#continueWithoutJob(route, pageId, end);
    return { kind: 'waits', delayMs: AWAY_MS };
  }

  /** Resolves when no page goes on any more. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#going);
  }

  #continueWithoutJob(route: string, pageId: string, end: Promise<PageEnd | null>): void {
    let slow = this.#routes.get(route);
    if (slow === undefined) this.#routes.set(route, (slow = new SlowRoute()));
    slow.pages.add(pageId);
    const going = end
      .then((last) => {
        if (last === null || last.kind === 'finished') this.#over.set(pageId, true);
      })
      // The job that comes back tries the page again, as recovery does.
      .catch((error: unknown) => this.#logFailure(pageId, error))
      .finally(() => {
        this.#going.delete(going);
        slow.pages.delete(pageId);
        if (slow.pages.size === 0) this.#routes.delete(route);
      });
    this.#going.add(going);
  }

  /** Says what the page's job would say with this error (`JobRunner`). */
  #logFailure(pageId: string, error: unknown): void {
    if (isDatabaseUnavailable(error)) this.#postponed.log({ pageId, reason: describeFailure(error) });
    else this.logger.error({ err: error, pageId }, 'page.failed');
  }
}
