import type { Clock } from '@postrider/domain';
import type { Logger } from '@postrider/platform';
import type { ProviderTokenStore } from './apns/provider-token';
import type { Http2ClientName } from './http2/http2-pool-options';

/** What every sender needs beside its credentials. */
export interface SenderOptions {
  clock: Clock;
  /** Whether endpoints may be loopback or private addresses, or plain http. */
  allowPrivateEndpoints: boolean;
  /**
   * The same for the push services that Web Push subscriptions name, which come from strangers. Default false, whatever
   * `allowPrivateEndpoints` says.
   */
  allowPrivatePushServices?: boolean;
  logger?: Logger;
  /** Connections to the vendor at most. Default 8. */
  maxSessions?: number;
  /** Requests in flight at most, over all connections. Default 2,000. */
  maxInFlight?: number;
  /**
   * How long a send may take. Default 20 s (HMS: 15 s from the moment the request is on the wire). What is not on the wire
   * after half of it is not sent, so that at least the other half (FCM asks for 10 s) is left for the answer.
   */
  deadlineMs?: number;
  /** Where processes share provider tokens of APNs. Default: each process makes its own. */
  providerTokens?: ProviderTokenStore;
  /** Who keeps the framing of HTTP/2. Default `own`. */
  http2Client?: Http2ClientName;
}
