import type { Clock } from '@postrider/domain';

/** The readings of this machine's clocks, in milliseconds; replaced in tests. */
interface MachineTime {
  /** Advances evenly, from any beginning: it cannot be set. */
  monotonic(): number;
  /** Since 1970, as the machine was set. */
  wall(): number;
}

const MACHINE: MachineTime = { monotonic: () => performance.now(), wall: () => Date.now() };

/**
 * PostgreSQL's time, by which every process decides what is due, expired or leased: a machine whose clock is wrong
 * neither delays messages nor sends them too early. Until its first adjustment it is the machine's own time.
 * PostgreSQL's answer arrives somewhat later, and the delay is only known to be less than the whole round trip. So each
 * answer only bounds the time, and the clock moves no further than the bounds require: slow answers do not make it
 * jitter.
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

  /** How many milliseconds this machine's own clock is ahead. */
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
