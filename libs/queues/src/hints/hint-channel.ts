import { QUEUE_PREFIX } from '../connection/queue-prefix';

/** Stands among the ids of messages: there are connections to close. */
export const CLOSURES = 'closures';

/** The channel on which an edge hears that something waits for its connections. */
export function hintChannel(edgeId: string, prefix = QUEUE_PREFIX): string {
  return `${prefix}:edge:${edgeId}`;
}

/** The channel on which all edges hear what devices of an application report. */
export function eventChannel(prefix = QUEUE_PREFIX): string {
  return `${prefix}:device-events`;
}
