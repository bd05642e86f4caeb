import { setTimeout as pause } from 'node:timers/promises';
import { isCollision, isDatabaseUnavailable } from '@postrider/persistence';

/** How much goes together, and how it is told. */
export interface WriteBehindPlan<One> {
  write: (together: One[]) => Promise<void>;
  /** These are written, or can never be. */
  onWritten: (together: readonly One[]) => void;
  onRefused: (error: unknown, one: One) => void;
  most: number;
  /** Statements under way at once. */
  atOnce: number;
  /** What comes within this time goes together. */
  gatherMs: number;
  /** What waits at most; what comes beyond it is not taken. */
  capacity: number;
}

const TRY_AGAIN_MS = 500;
const COLLISIONS = 4;

/**
 * Writes many small things in common statements, behind the back of whoever brings them: bringing one costs a place in a list.
 * Goes on trying while PostgreSQL is away. What a statement refuses is written in halves, so that it fails alone.
 */
export class WriteBehind<One> {
  #waiting: One[] = [];
  #underWay = 0;
  #writing = 0;
  #isCalled = false;

  constructor(private readonly plan: WriteBehindPlan<One>) {}

  /** What is not written yet. */
  get size(): number {
    return this.#waiting.length + this.#writing;
  }

  /** Returns at once. @returns false when there is no room */
  add(one: One): boolean {
    if (this.size >= this.plan.capacity) return false;
    this.#waiting.push(one);
    if (!this.#isCalled && this.#underWay < this.plan.atOnce) this.#call(this.plan.gatherMs);
    return true;
  }

  #call(afterMs: number): void {
    this.#isCalled = true;
    setTimeout(() => {
      this.#isCalled = false;
      void this.#next();
    }, afterMs);
  }

  async #next(): Promise<void> {
    const together = this.#waiting.splice(0, this.plan.most);
    if (together.length === 0) return;
    this.#underWay++;
    this.#writing += together.length;
    if (this.#waiting.length >= this.plan.most && this.#underWay < this.plan.atOnce) this.#call(0);
    await this.#write(together);
    this.#writing -= together.length;
    this.#underWay--;
    if (this.#waiting.length > 0 && !this.#isCalled)
      this.#call(this.#waiting.length >= this.plan.most ? 0 : this.plan.gatherMs);
  }

  async #write(together: One[]): Promise<void> {
    for (let collisions = 1; ;) {
      try {
        await this.plan.write(together);
        break;
      } catch (error) {
        if (isDatabaseUnavailable(error)) await pause(TRY_AGAIN_MS, undefined, { ref: false });
        else if (isCollision(error) && collisions++ < COLLISIONS) continue;
        else return this.#refused(together, error);
      }
    }
    this.plan.onWritten(together);
  }

  async #refused(together: One[], error: unknown): Promise<void> {
    const [first] = together;
    if (together.length > 1) {
      const half = together.length >> 1;
      await this.#write(together.slice(0, half));
      await this.#write(together.slice(half));
    } else if (first !== undefined) {
      this.plan.onRefused(error, first);
      this.plan.onWritten(together);
    }
  }
}
