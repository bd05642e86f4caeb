import type { JsonObject, PushVendor } from '@postrider/domain';
import { parseApnsCredentials } from './parse-apns-credentials';
import { parseFcmCredentials } from './parse-fcm-credentials';
import { parseHmsCredentials } from './parse-hms-credentials';
import { parseWebPushCredentials } from './parse-web-push-credentials';

/** Credentials as they are stored: `settings` may be shown to an operator, `secrets` are sealed. Their keys never overlap. */
export interface ParsedCredentials {
  settings: JsonObject;
  secrets: JsonObject;
}

const PARSERS: Record<PushVendor, (body: unknown, allowPlain: boolean) => ParsedCredentials> = {
  fcm: parseFcmCredentials,
  apns: parseApnsCredentials,
  hms: parseHmsCredentials,
  webpush: parseWebPushCredentials,
};

/**
 * Reads the body of `PUT apps/:id/vendors/:vendor` (operations, Admin API). Private keys are parsed, not just stored; a
 * missing VAPID pair is made. Addresses must be https unless private endpoints are allowed.
 *
 * @throws InvalidRequest naming every bad field
 */
export function parseCredentials(
  vendor: PushVendor,
  body: unknown,
  options: { allowPrivateEndpoints: boolean },
): ParsedCredentials {
  return PARSERS[vendor](body, options.allowPrivateEndpoints);
}
