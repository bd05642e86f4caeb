import { APNS_ENDPOINTS, type ApnsCredentials } from '../apns/apns-credentials';
import type { HmsCredentials } from '../hms/hms-credentials';
import { problemsOfAddresses, problemsOfAuthority, problemsOfKey } from './material';
import { SMS_CREDENTIALS } from './sms-credential-kind';
import { type CredentialKind, present } from './stored-credentials';
import { newVapidPair, problemsOfPair, type VapidPair, vapidPairOf } from './vapid-pair';

/** A Firebase service account, by the names that Google gives its fields, and where the send API is. */
interface FcmValues {
  serviceAccount: { project_id: string; client_email: string; private_key: string; token_uri: string };
  endpoint: string;
}

type ApnsValues = Omit<ApnsCredentials, 'endpoint'> & { endpoint?: string };
type WebPushValues = Partial<VapidPair> & { subject: string };

const FCM: CredentialKind<FcmValues> = {
  problems: ({ serviceAccount = {}, endpoint }, rules) => [
    ...problemsOfAddresses({ 'serviceAccount.token_uri': serviceAccount.token_uri, endpoint }, rules),
    ...problemsOfKey('serviceAccount.private_key', serviceAccount.private_key, 'RSA'),
  ],
  stored: ({ serviceAccount, endpoint }) => {
    const { project_id, client_email, token_uri, private_key } = serviceAccount;
    const settings = { projectId: project_id, clientEmail: client_email, tokenUri: token_uri, endpoint };
    return { settings, secrets: { privateKey: private_key } };
  },
};

const APNS: CredentialKind<ApnsValues> = {
  problems: ({ endpoint, ca, privateKey }, rules) => [
    ...problemsOfAddresses({ endpoint }, rules),
    ...problemsOfAuthority(ca),
    ...problemsOfKey('privateKey', privateKey, 'P-256'),
  ],
  stored: ({ privateKey, endpoint, ...settings }) => ({
    settings: present({ ...settings, endpoint: endpoint ?? APNS_ENDPOINTS[settings.environment] }),
    secrets: { privateKey },
  }),
};

const HMS: CredentialKind<HmsCredentials> = {
  problems: ({ endpoint, tokenEndpoint }, rules) => problemsOfAddresses({ endpoint, tokenEndpoint }, rules),
  stored: ({ clientSecret, ...settings }) => ({ settings, secrets: { clientSecret } }),
};

const WEB_PUSH: CredentialKind<WebPushValues> = {
  problems: problemsOfPair,
  stored: ({ subject, privateKey: given }) => {
    const { publicKey, privateKey } = given === undefined ? newVapidPair() : vapidPairOf(given);
    return { settings: { subject, publicKey }, secrets: { privateKey } };
  },
};

/** The credentials of every vendor. */
export const CREDENTIAL_KINDS = { fcm: FCM, apns: APNS, hms: HMS, webpush: WEB_PUSH, sms: SMS_CREDENTIALS };
