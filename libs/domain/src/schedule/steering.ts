import { MINUTE_MS } from '../time';

/** How fast a send may be asked to go, in devices per second. */
export const MAX_RATE = 1_000_000;

/** How far ahead a send may be scheduled, and how far back "now" reaches: clocks differ. */
export const MAX_SCHEDULE_DAYS = 90;
export const SCHEDULE_SLACK_MS = MINUTE_MS;

/** When and how fast a message is sent, as its sender asked. */
export interface Steering {
  /** Devices per second. */
  rate?: number;
  /** The moment; with `localTime` what a clock on the wall shows then, as if that were UTC. */
  sendAt?: Date;
  /** True if each device gets it when it is `sendAt` where the device is. */
  localTime: boolean;
  ignoreQuietHours: boolean;
}

/** A message that is sent as soon and as fast as it can be. */
export const UNSTEERED: Steering = { localTime: false, ignoreQuietHours: false };
