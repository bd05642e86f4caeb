/** A job that waited this long for its turn makes room for other jobs: its route is slow. */
const PATIENCE_MS = 1_500;

interface Lane {
  taken: number;
  readonly waiting: (() => void)[];
}

/**
 * How many campaign pages each route has in hand: as many as keep its calls going while the next page is claimed, no more. A
 * million devices pass through in small portions, and their pages are claimed when they are about to be sent.
 */
export class CampaignTurns {
  readonly #lanes = new Map<string, Lane>();

  /** @param atOnce pages of one route in hand at a time */
  constructor(private readonly atOnce: number) {}

  /** Waits for a turn, not for long. @returns whether there is one; it must be given back then */
  take(route: string): Promise<boolean> {
    const lane = this.#laneOf(route);
    if (lane.taken < this.atOnce) {
      lane.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        lane.waiting.splice(lane.waiting.indexOf(go), 1);
        resolve(false);
      }, PATIENCE_MS).unref();
      const go = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      lane.waiting.push(go);
    });
  }

  /** Gives a turn to whoever waited longest. */
  give(route: string): void {
    const lane = this.#laneOf(route);
    const next = lane.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    lane.taken -= 1;
    if (lane.taken === 0) this.#lanes.delete(route);
  }

  #laneOf(route: string): Lane {
    let lane = this.#lanes.get(route);
    if (lane === undefined) this.#lanes.set(route, (lane = { taken: 0, waiting: [] }));
    return lane;
  }
}
