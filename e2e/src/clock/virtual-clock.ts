import type { Clock } from '@postrider/domain';

/** A clock that stands still until it is told the time. */
export class VirtualClock implements Clock {
  constructor(private moment: number) {}

  now(): Date {
    return new Date(this.moment);
  }

  /** Goes on to a moment; never back. */
  goTo(moment: Date): void {
    this.moment = Math.max(this.moment, moment.getTime());
  }
}
