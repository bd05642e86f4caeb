import type { Clock } from '@postrider/domain';
import type { Logger } from '@postrider/platform';

/** What every sender needs beside its credentials. */
export interface SenderOptions {
  clock: Clock;
  /** Whether endpoints may be loopback or private addresses, or plain http. */
  allowPrivateEndpoints: boolean;
  logger?: Logger;
  /** Connections to the vendor at most. Default 8. */
  maxSessions?: number;
  /** Requests in flight at most, over all connections. Default 2,000. */
  maxInFlight?: number;
  /** How long an answer may take once the request is on the wire. Default: the vendor's (FCM 10 s, the others 15 s). */
  deadlineMs?: number;
}
