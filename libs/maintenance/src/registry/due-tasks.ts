import type { DueWorkRepository } from '@postrider/persistence';
import type { MaintenanceTask } from './maintenance-task';

/** A task whose work is looked for. */
export type LookedForTask = MaintenanceTask & Required<Pick<MaintenanceTask, 'due'>>;

/** A look takes milliseconds. After this time the tasks look for themselves: a table that is locked holds up only its own tasks. */
const LOOK_WITHIN_MS = 1_000;

/** What a look needs. */
interface LookTerms {
  dueWork: Pick<DueWorkRepository, 'areDue'>;
  /** Fires when the process stops. */
  signal: AbortSignal;
  /** Hears of each task that had nothing to do. */
  onIdle: (task: MaintenanceTask) => void;
}

/**
 * Looks for the work of tasks that have one interval, for all of them together, so that those without work need not run. Where the
 * look fails or takes too long, each of them runs.
 */
export class DueTasks {
  /** Ends the wait of each task that waits for work. */
  readonly #waiting = new Map<MaintenanceTask, () => void>();
  #isLooking = false;

  constructor(
    /** The time between two looks. */
    readonly intervalMs: number,
    private readonly tasks: readonly LookedForTask[],
    private readonly terms: LookTerms,
  ) {
    terms.signal.addEventListener('abort', () => this.#wake(() => true));
  }

  has(task: MaintenanceTask): boolean {
    return this.tasks.some((one) => one === task);
  }

  /** Resolves when a later look finds work for the task, or when the process stops. */
  untilDue(task: MaintenanceTask): Promise<void> {
    if (this.terms.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(task, resolve));
  }

  /**
   * Looks once. A task that began to wait meanwhile is left to the next look.
   *
   * @returns false: there is no more to do at once
   * @throws what made the look fail
   */
  async look(): Promise<boolean> {
    const asked = new Map(this.#waiting);
    if (asked.size === 0) return false;
    let isDue: (task: MaintenanceTask) => boolean = () => true;
    try {
      const found = this.#isLooking ? null : await withinLimit(this.#find());
      if (found !== null) isDue = (task) => found.get(task) ?? true;
    } finally {
      for (const task of asked.keys()) if (!isDue(task)) this.terms.onIdle(task);
      this.#wake((task) => asked.get(task) === this.#waiting.get(task) && isDue(task));
    }
    return false;
  }

  async #find(): Promise<ReadonlyMap<MaintenanceTask, boolean>> {
    this.#isLooking = true;
    try {
      const due = await this.terms.dueWork.areDue(this.tasks.map((task) => task.due()));
      return new Map(this.tasks.map((task, place) => [task, due[place] ?? true]));
    } finally {
      this.#isLooking = false;
    }
  }

  #wake(which: (task: MaintenanceTask) => boolean): void {
    for (const [task, wake] of this.#waiting) {
      if (!which(task)) continue;
      this.#waiting.delete(task);
      wake();
    }
  }
}

/** @returns null when it takes too long */
async function withinLimit<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LOOK_WITHIN_MS).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
