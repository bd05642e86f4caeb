export { Postrider, type PostriderOptions } from './postrider';
export { type ErrorCode, type FailureCode, PostriderError, type RefusedField } from './postrider-error';
export type {
  Body,
  CallOptions,
  Keyed,
  KeyedOptions,
  Place,
  Query,
  SendOptions,
  Sent,
  UploadOptions,
} from './calls/caller';
export type { FileChunks, FileSource } from './calls/file-source';
export { type PageOfList, Pages } from './calls/pages';
export type { RetryOptions } from './calls/retry';
export { reasonOfNoAnswer } from './calls/transport';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from './webhooks/verify-webhook';
export type {
  WebhookData,
  WebhookDevice,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
} from './webhooks/webhook-event';
export { Operations } from './generated/operations';
import type * as Schemas from './generated/document';

/** The requests and answers of the API, under the names of the API reference. */
export type { Schemas };
