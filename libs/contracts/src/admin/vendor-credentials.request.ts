import { type CredentialVendor, type ErrorDetail, isJsonObject } from '@postrider/domain';
import type { ClassConstructor } from 'class-transformer';
import { Optional, Rule } from '../validation/field';
import { IsOneOf } from '../validation/fields';
import { IsNested } from '../validation/nested';
import { Unreadable } from '../validation/reading';
import { readRequest } from '../validation/read-request';
import { CERTIFICATE, IsBaseAddress, IsTokenAddress, IsCredential, IsPem } from './credential-fields';
import {
  HttpSmsCredentialsRequest,
  KavenegarCredentialsRequest,
  SmsProviderRequest,
  TwilioCredentialsRequest,
} from './sms-credentials.request';

const APPLE_ID = /^[A-Za-z0-9]{1,64}$/;
const APPLE_ID_SAYS = 'must be the 1 to 64 letters and digits of the id that Apple shows';

/** A Firebase service account, in Google's format. Its other fields are ignored. */
export class ServiceAccountRequest {
  @IsCredential(/^[A-Za-z0-9:._-]{1,255}$/, 'must be a project id') project_id!: string;
  @IsCredential(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address') client_email!: string;
  @IsPem('PEM, RSA') private_key!: string;

  @IsTokenAddress({ default: 'https://oauth2.googleapis.com/token' })
  token_uri!: string;
}

/** Credentials for FCM. */
export class FcmCredentialsRequest {
  @IsNested(() => ServiceAccountRequest) serviceAccount!: ServiceAccountRequest;

  @IsBaseAddress({ default: 'https://fcm.googleapis.com' })
  endpoint!: string;
}

/** Credentials for APNs: a token signing key of an Apple developer team, and the application it sends to. */
export class ApnsCredentialsRequest {
  @IsCredential(APPLE_ID, APPLE_ID_SAYS) keyId!: string;
  @IsCredential(APPLE_ID, APPLE_ID_SAYS) teamId!: string;
  @IsPem('PEM, EC P-256') privateKey!: string;
  @IsCredential(/^[A-Za-z0-9.-]{1,255}$/, 'must be a bundle id') topic!: string;
  @IsOneOf(['production', 'sandbox']) environment!: 'production' | 'sandbox';
  @Optional() @IsBaseAddress({ description: "the default is Apple's address for the environment" }) endpoint?: string;
  @Optional() @IsCredential(undefined, undefined, CERTIFICATE) ca?: string;
}

/** Credentials for HMS: an AppGallery application's id and secret. */
export class HmsCredentialsRequest {
  @IsCredential(/^[A-Za-z0-9_-]{1,100}$/, 'must be the app id that Huawei shows') appId!: string;
  @IsCredential() clientSecret!: string;

  @IsBaseAddress({ default: 'https://push-api.cloud.huawei.com' })
  endpoint!: string;

  @IsBaseAddress({ default: 'https://oauth-login.cloud.huawei.com' })
  tokenEndpoint!: string;
}

/** Credentials for Web Push: a VAPID key pair (RFC 8292), and the contact for push services. */
export class WebPushCredentialsRequest {
  @IsCredential(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: address') subject!: string;
  @Optional() @IsCredential(undefined, undefined, 'base64url; it belongs to privateKey') publicKey?: string;

  @Optional()
  @IsCredential(undefined, undefined, '32 bytes in base64url; a key pair is generated when neither key is sent')
  @Rule<WebPushCredentialsRequest>((_request, isSent) =>
    isSent('publicKey') && !isSent('privateKey') ? 'is required beside publicKey' : null,
  )
  privateKey?: string;
}

/** The credentials of each vendor. */
export interface VendorCredentialsRequest {
  fcm: FcmCredentialsRequest;
  apns: ApnsCredentialsRequest;
  hms: HmsCredentialsRequest;
  webpush: WebPushCredentialsRequest;
  sms: TwilioCredentialsRequest | KavenegarCredentialsRequest | HttpSmsCredentialsRequest;
}

/** Credentials with only the fields that could be read. */
type ReadableCredentials<T> = {
  [Field in keyof T]?: T[Field] extends object ? ReadableCredentials<T[Field]> : T[Field];
};

/** The result of reading credentials. They are complete if `problems` is empty. */
export interface CredentialsReading<T> {
  credentials: T;
  readable: ReadableCredentials<T>;
  problems: ErrorDetail[];
}

const CLASSES: { [Vendor in keyof VendorCredentialsRequest]: (body: unknown) => ClassConstructor<object> } = {
  fcm: () => FcmCredentialsRequest,
  apns: () => ApnsCredentialsRequest,
  hms: () => HmsCredentialsRequest,
  webpush: () => WebPushCredentialsRequest,
  sms: (body) => SMS_CLASSES.get(isJsonObject(body) ? body.provider : undefined) ?? SmsProviderRequest,
};

const SMS_CLASSES = new Map<unknown, ClassConstructor<object>>([
  ['twilio', TwilioCredentialsRequest],
  ['kavenegar', KavenegarCredentialsRequest],
  ['http', HttpSmsCredentialsRequest],
]);

/**
 * Reads the body of `PUT apps/:id/vendors/:vendor`. Its class is the vendor's, and for SMS the provider's. Never
 * throws.
 */
export function readVendorCredentials<Vendor extends CredentialVendor>(
  vendor: Vendor,
  body: unknown,
): CredentialsReading<VendorCredentialsRequest[Vendor]> {
  const { request, problems } = readRequest(CLASSES[vendor](body), body);
  const credentials = request as VendorCredentialsRequest[Vendor];
  return { credentials, readable: readablePart(request), problems };
}

function readablePart(request: object): object {
  const readable = Object.entries(request).filter(([, value]) => value !== undefined && !(value instanceof Unreadable));
  return Object.fromEntries(readable.map(([name, value]) => [name, isJsonObject(value) ? readablePart(value) : value]));
}
