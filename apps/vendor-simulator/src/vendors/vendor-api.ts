import type { Answer, ArrivedRequest } from '../wire/exchange';

/** Every stand-in, by the name that faults, inbox and counters use. */
export const VENDOR_API_NAMES = [
  'fcm',
  'fcm-token',
  'apns',
  'hms',
  'hms-token',
  'webpush',
  'twilio',
  'kavenegar',
  'sms',
] as const;

/** The name of a stand-in. */
export type VendorApiName = (typeof VENDOR_API_NAMES)[number];

/** A request that is in order, before anybody has decided what becomes of it. */
export interface Submission {
  /** Whom it is for: device tokens, subscription ids, phone numbers; a token endpoint's client. */
  tokens: readonly string[];
  /** The body as parsed. */
  payload: unknown;
  /** Headers and the like that an operator wants to see beside the payload. */
  details: Readonly<Record<string, string>>;
  /** True if the caller asked only to be told if it would be accepted. */
  isRehearsal: boolean;
}

/** What a stand-in made of a request. */
export type Received =
  | { kind: 'submitted'; submission: Submission }
  | { kind: 'refused'; code: string; answer: Answer }
  /** Not a word: the connection is dropped. */
  | { kind: 'hung-up'; code: string };

/** A way to say no to a request that is in order. */
export type Refusal =
  | { kind: 'dead' }
  | { kind: 'invalid' }
  | { kind: 'status'; http: number; code?: string; retryAfter?: number | string };

/** A yes: the answer, and the id under which the vendor knows the message. */
export interface Acceptance {
  answer: Answer;
  vendorMessageId: string;
}

/** A no, with the vendor's own code for it. */
export interface Refused {
  code: string;
  answer: Answer;
}

/** The part of a payload that a person sees. */
export interface Summary {
  title: string;
  body: string;
}

/** One vendor's stand-in: it knows the wire format, but neither inboxes nor faults. */
export interface VendorApi {
  readonly name: VendorApiName;
  /** True if it accepts messages; false for a token endpoint. */
  readonly takesMessages: boolean;
  /** True if the request is for this vendor API. */
  owns(method: string, path: string): boolean;
  /** Reads the request and checks it as the vendor does. */
  receive(request: ArrivedRequest): Received;
  /** Says yes, except to the tokens in `refused` (only vendor APIs that take several tokens a request get any). */
  accept(submission: Submission, refused: readonly string[]): Acceptance;
  /** Says no, in the vendor's words. */
  refuse(refusal: Refusal, submission: Submission): Refused;
  /** Returns the part of the payload that a person sees. */
  summarize(payload: unknown): Summary;
}

/** A `refused` result. */
export function refused(code: string, answer: Answer): Received {
  return { kind: 'refused', code, answer };
}
