import { MINUTE_MS } from '../time';

/** The highest rate of a send, in devices per second. */
export const MAX_RATE = 1_000_000;

/** How far ahead a send may be scheduled, and how far in the past still means now, because clocks differ. */
export const MAX_SCHEDULE_DAYS = 90;
export const SCHEDULE_SLACK_MS = MINUTE_MS;

/** When and how fast a message is sent, as its sender requested. */
export interface Steering {
  /** Devices per second. */
  rate?: number;
  /** The moment; with `localTime` the local time, as if it were UTC. */
  sendAt?: Date;
  /** True if each device gets it when its local time is `sendAt`. */
  localTime: boolean;
  ignoreQuietHours: boolean;
}

/** A message that is sent at once, without a rate. */
export const UNSTEERED: Steering = { localTime: false, ignoreQuietHours: false };
