import type { VendorApiName } from '../vendors/vendor-api';
import type { ResetCode } from '../wire/exchange';

/** Which requests a rule is for; a rule without `match` is for all. */
export interface FaultMatch {
  /** This token alone. */
  token?: string;
  /** Tokens that begin like this. */
  prefix?: string;
  /** Only this share of all tokens, always the same ones: a token is chosen by its hash. */
  share?: number;
  /** This many matching requests pass first. */
  after?: number;
  /** The rule is applied so many times, then never again. */
  times?: number;
  /** The rule is applied to each token so many times: with `1` every device fails once. */
  timesPerToken?: number;
}

/** The effect of a rule on a request. */
export type Fault =
  | { kind: 'dead_token' }
  | { kind: 'invalid_token' }
  | { kind: 'status'; http: number; code?: string; retryAfter?: number | string }
  /** Answers, only later. */
  | { kind: 'slow'; ms: number }
  /** Accepts the message and never answers. */
  | { kind: 'hang' }
  /** RST_STREAM; with `taken` the message was accepted all the same, and the caller cannot know. */
  | { kind: 'reset'; code?: ResetCode; taken?: boolean }
  /** Announces GOAWAY on every n-th request of a connection, and answers the requests under way. */
  | { kind: 'goaway'; every: number }
  /** Destroys the socket, and with it every request under way. */
  | { kind: 'close'; taken?: boolean }
  /** An answer that is not the vendor's: a page of a proxy. */
  | { kind: 'bad_body'; http?: number };

/** One fault that the simulator injects. */
export interface FaultRule {
  /** The vendor; `*` for all. */
  vendor: VendorApiName | '*';
  match?: FaultMatch;
  fault: Fault;
}

/** A fault that decides the answer; the rest of `Fault` changes only how an answer travels. */
export type DecidingFault = Exclude<Fault, { kind: 'slow' | 'goaway' }>;
