import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';

/** A clock that stands still until it is moved. @param moment the first reading; default: now */
export class TestClock implements Clock {
  #setBackMs = 0;

  constructor(private moment: number = Date.now()) {}

  now(): Date {
    return new Date(this.moment - this.#setBackMs);
  }

  steadyMs(): number {
    return this.moment;
  }

  /** Goes on by so many milliseconds. */
  advance(ms: number): void {
    this.moment += ms;
  }

  /** Sets the time of day back. The steady time goes on. */
  setBack(ms: number): void {
    this.#setBackMs += ms;
  }

  /** Goes back to a moment, after something that takes no time of what follows, because both happen side by side. */
  returnTo(moment: Date): void {
    this.moment = moment.getTime() + this.#setBackMs;
  }

  /** Goes on to a moment; never back. */
  goTo(moment: Date): void {
    this.moment = Math.max(this.moment, moment.getTime() + this.#setBackMs);
  }
}

/**
 * A clock that shows the machine's time, and in the last hour of a day (UTC) one hour less: the day does not end during
 * a test that takes minutes.
 */
export function clockWithinDay(): Clock {
  const isLastHour = Date.now() % DAY_MS >= DAY_MS - HOUR_MS;
  return clockShowing(() => new Date(Date.now() - (isLastHour ? HOUR_MS : 0)));
}

/** Lets a timeout pass only when the test says (`jest.advanceTimersByTime`). Everything else is real, as sockets need it. */
export function fakeTimeouts(): void {
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
  });
}

/** A clock of a test that shows what `read` says. */
export function clockShowing(read: () => Date): Clock {
  return { now: read, steadyMs: () => read().getTime() };
}
