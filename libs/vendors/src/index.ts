export type {
  CheckResult,
  Http2ClientName,
  IssuedToken,
  ProviderTokenStore,
  PushRequest,
  SendCallback,
  Sender,
  SenderCapacity,
  SenderOptions,
} from './sender';
export { createSender } from './create-sender';
export { CREDENTIAL_KINDS } from './credentials/credential-kinds';
export type { CredentialKind, EndpointRules, Readable, StoredCredentials } from './credentials/credential-kind';
export { createSmsSender } from './sms/create-sms-sender';
export { SMS_CONNECTIONS } from './sms/sms-http';
export { smsTextDigest } from './sms/sms-sender';
export { whyTooLong } from './sms/sms-text-limit';
export type {
  SmsInquiry,
  SmsOutcome,
  SmsProvider,
  SmsReport,
  SmsRequest,
  SmsSender,
  SmsSenderOptions,
} from './sms/sms-sender';
export { isTwilioSigned, twilioStatus } from './sms/twilio/twilio-callback';
export { kavenegarStatus } from './sms/kavenegar/read-kavenegar-answer';
export {
  WebhookClient,
  type WebhookAnswer,
  type WebhookClientOptions,
  checkWebhookHost,
} from './webhooks/webhook-client';
export { generateWebhookSecret, webhookHeaders } from './webhooks/webhook-signature';
export { retryAfterMs } from './outcome/retry-after';
