import type { CredentialVendor, JsonObject } from '@postrider/domain';
import { parseApnsCredentials } from './parse-apns-credentials';
import { parseFcmCredentials } from './parse-fcm-credentials';
import { parseHmsCredentials } from './parse-hms-credentials';
import { parseSmsCredentials } from './parse-sms-credentials';
import { parseWebPushCredentials } from './parse-web-push-credentials';

/** Credentials as they are stored: `settings` may be shown to an operator, `secrets` are sealed. Their keys never overlap. */
export interface ParsedCredentials {
  settings: JsonObject;
  secrets: JsonObject;
}

const PARSERS: Record<CredentialVendor, (body: unknown, allowPlain: boolean) => ParsedCredentials> = {
  fcm: parseFcmCredentials,
  apns: parseApnsCredentials,
  hms: parseHmsCredentials,
  webpush: parseWebPushCredentials,
  sms: parseSmsCredentials,
};

/**
 * Reads the body of `PUT apps/:id/vendors/:vendor` (operations, Admin API). Private keys are parsed, not just stored; a
 * missing VAPID pair is made, and so is a
 * provider's status secret. Addresses must be https unless private endpoints are allowed.
 *
 * @throws InvalidRequest naming every bad field
 */
export function parseCredentials(
  vendor: CredentialVendor,
  body: unknown,
  options: { allowPrivateEndpoints: boolean },
): ParsedCredentials {
  return PARSERS[vendor](body, options.allowPrivateEndpoints);
}
