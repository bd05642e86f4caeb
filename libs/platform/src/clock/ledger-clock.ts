import type { Clock } from '@postrider/domain';

/** What the clock reads on this machine, in milliseconds; others in tests. */
export interface MachineTime {
  /** Goes on evenly, from any beginning: nobody can set it. */
  monotonic(): number;
  /** Since 1970, as the machine was set. */
  wall(): number;
}

const MACHINE: MachineTime = { monotonic: () => performance.now(), wall: () => Date.now() };

/**
 * PostgreSQL's time, by which every process decides what is due, expired or leased: a machine whose clock is wrong does not
 * hold anything back, nor send it too early. Until it was first adjusted it is the machine's own.
 *
 * What PostgreSQL says arrives somewhat later, and nobody knows by how much less than the whole round trip. So each answer
 * only bounds the time, and the clock moves no further than the bounds ask: slow answers do not make it tremble.
 */
export class LedgerClock implements Clock {
  /** PostgreSQL's time less the monotonic one. */
  #offset: number | undefined;

  constructor(private readonly machine: MachineTime = MACHINE) {}

  now(): Date {
    return new Date(this.#offset === undefined ? this.machine.wall() : this.machine.monotonic() + this.#offset);
  }

  steadyMs(): number {
    return this.machine.monotonic();
  }

  /** By how many milliseconds this machine's own clock is ahead. */
  get machineAheadMs(): number {
    return this.machine.wall() - this.now().getTime();
  }

  /** Asks for PostgreSQL's time, in milliseconds since 1970, and follows it. @throws what `ask` throws */
  async adjust(ask: () => Promise<number>): Promise<void> {
    const askedAt = this.machine.monotonic();
    const theirs = await ask();
    const [least, most] = [theirs - this.machine.monotonic(), theirs - askedAt];
    this.#offset = this.#offset === undefined ? (least + most) / 2 : Math.min(most, Math.max(least, this.#offset));
  }
}
