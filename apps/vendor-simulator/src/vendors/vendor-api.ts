import type { Answer, ArrivedRequest } from '../wire/exchange';

/** Every simulated API, by the name that faults, inbox and counters use. */
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

/** The name of a simulated API. */
export type VendorApiName = (typeof VENDOR_API_NAMES)[number];

/** A request that passed the checks of the API. It is not decided yet if it is accepted. */
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

/** The result of reading and checking a request. */
export type Received =
  | { kind: 'submitted'; submission: Submission }
  | { kind: 'refused'; code: string; answer: Answer }
  /** The connection is closed without an answer. */
  | { kind: 'dropped'; code: string };

/** Why a request is refused that passed the checks: a fault decides so. */
export type Refusal =
  | { kind: 'dead' }
  | { kind: 'invalid' }
  | { kind: 'status'; http: number; code?: string; retryAfter?: number | string };

/** The answer to an accepted request, and the id that the vendor gives the message. */
export interface Acceptance {
  answer: Answer;
  vendorMessageId: string;
}

/** The answer to a refused request, with the vendor's own error code. */
export interface Refused {
  code: string;
  answer: Answer;
}

/** The part of a payload that a person sees. */
export interface Summary {
  title: string;
  body: string;
}

/** The simulated API of one vendor. It knows the wire format, but neither the inbox nor the faults. */
export interface VendorApi {
  readonly name: VendorApiName;
  /** True if it accepts messages; false for a token endpoint. */
  readonly takesMessages: boolean;
  /** True if the request is for this vendor API. */
  owns(method: string, path: string): boolean;
  /** Reads the request and checks it as the vendor does. */
  receive(request: ArrivedRequest): Received;
  /** Accepts the request, except for the tokens in `refused` (only APIs that take several tokens in a request get any). */
  accept(submission: Submission, refused: readonly string[]): Acceptance;
  /** Refuses the request with the vendor's own answer. */
  refuse(refusal: Refusal, submission: Submission): Refused;
  /** Returns the part of the payload that a person sees. */
  summarize(payload: unknown): Summary;
}

/** A `refused` result. */
export function refused(code: string, answer: Answer): Received {
  return { kind: 'refused', code, answer };
}
