import type { Clock } from '@postrider/domain';

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  constructor(private time = new Date('2026-01-01T00:00:00Z').getTime()) {}

  now(): Date {
    return new Date(this.time);
  }

  advance(ms: number): void {
    this.time += ms;
  }
}
