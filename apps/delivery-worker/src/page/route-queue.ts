import type { Lane } from '@postrider/domain';
import type { PageRun } from './page-run';
import type { Route, RoutePages } from '../route/route';

/** The pages in hand that are sent over one route, in the order in which they are. */
export class RouteQueue implements RoutePages {
  readonly #runs: Record<Lane, PageRun[]> = { transactional: [], campaign: [] };

  constructor(readonly route: Route) {
    route.attach(this);
  }

  get isEmpty(): boolean {
    return this.#runs.transactional.length + this.#runs.campaign.length === 0;
  }

  add(run: PageRun): void {
    this.#runs[run.page.lane].push(run);
  }

  /** The page to send from next: named users first, within a lane the one that came first. */
  next(): PageRun | null {
    return this.#nextOf('transactional') ?? this.#nextOf('campaign');
  }

  stopAll(): void {
    for (const run of this.#runs.transactional.concat(this.#runs.campaign)) run.stop('held');
  }

  #nextOf(lane: Lane): PageRun | null {
    const runs = this.#runs[lane];
    while (runs.length > 0 && !(runs[0] as PageRun).hasNext) runs.shift();
    return runs.find((run) => run.hasNext && !run.isPaused) ?? null;
  }
}
