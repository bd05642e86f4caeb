import { type CredentialsReading, readVendorCredentials } from '@postrider/contracts';
import { type CredentialVendor, InvalidRequest } from '@postrider/domain';
import { CREDENTIAL_KINDS, type CredentialKind, type EndpointRules, type StoredCredentials } from '@postrider/vendors';

/**
 * Reads the body of `PUT apps/:id/vendors/:vendor`: its fields, and then their values. Private keys are parsed, not
 * just stored. If the VAPID pair or a provider's status secret is missing, it is made.
 *
 * @throws InvalidRequest naming every bad field
 */
export function readCredentials(vendor: CredentialVendor, body: unknown, rules: EndpointRules): StoredCredentials {
  switch (vendor) {
    case 'fcm':
      return check(CREDENTIAL_KINDS.fcm, readVendorCredentials('fcm', body), rules);
    case 'apns':
      return check(CREDENTIAL_KINDS.apns, readVendorCredentials('apns', body), rules);
    case 'hms':
      return check(CREDENTIAL_KINDS.hms, readVendorCredentials('hms', body), rules);
    case 'webpush':
      return check(CREDENTIAL_KINDS.webpush, readVendorCredentials('webpush', body), rules);
    case 'sms':
      return check(CREDENTIAL_KINDS.sms, readVendorCredentials('sms', body), rules);
  }
}

function check<Values>(
  kind: CredentialKind<Values>,
  { credentials, readable, problems }: CredentialsReading<Values>,
  rules: EndpointRules,
): StoredCredentials {
  const all = [...problems, ...kind.problems(readable, rules)];
  if (all.length > 0) throw new InvalidRequest(all);
  return kind.stored(credentials);
}
