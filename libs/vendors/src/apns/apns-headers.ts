import { type OutgoingHttpHeaders, sensitiveHeaders } from 'node:http2';
import type { ApnsPayload } from '@postrider/domain';
import { ttlSecondsAt } from '../remaining-life';
import type { SendRequest } from '../sender';

/** Differs in every request: an entry in the connection's header table would only push out one that repeats. */
const NEVER_INDEXED = ['apns-id'];

/** The headers of one request (Apple, Sending notification requests to APNs). */
export function apnsHeaders(
  request: SendRequest,
  payload: ApnsPayload,
  { topic, providerToken, now }: { topic: string; providerToken: string; now: number },
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders & { [sensitiveHeaders]?: string[] } = {
    ':method': 'POST',
    ':path': `/3/device/${request.token}`,
    authorization: `bearer ${providerToken}`,
    'apns-id': request.deliveryId,
    'apns-topic': topic,
    'apns-push-type': payload.pushType,
    'apns-priority': payload.priority === 10 ? '10' : '5',
    // 0: one try, not stored. A moment keeps what the device misses until then.
    'apns-expiration': ttlSecondsAt(now, request) === 0 ? '0' : String(Math.floor(request.expiresAt.getTime() / 1_000)),
    [sensitiveHeaders]: NEVER_INDEXED,
  };
  if (payload.collapseId !== undefined) headers['apns-collapse-id'] = payload.collapseId;
  return headers;
}
