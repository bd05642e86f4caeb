import { randomBytes } from 'node:crypto';
import type { Answer, ArrivedRequest } from '../../wire/exchange';
import { jsonAnswer, parseJson } from '../../wire/json';
import type { AccessTokens } from '../access-tokens';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Submission, Summary } from '../vendor-api';
import { hmsProblem, type HmsMessage } from './hms-checks';

const PATH = /^\/v[12]\/([^/]+)\/messages:send$/;
const ALL_TOKENS_INVALID = '80300007';

const CODE_BY_HTTP: Record<number, string> = {
  400: '80100003',
  401: '80200001',
  403: '80300002',
  429: '80100017',
  500: '81000001',
  503: '81000001',
};

/** Huawei Push Kit's `messages:send`, v1 and v2, for one application. Up to 1,000 tokens a request. */
export class HmsApi implements VendorApi {
  readonly name = 'hms';
  readonly takesMessages = true;

  constructor(
    private readonly appId: string,
    private readonly accessTokens: AccessTokens,
  ) {}

  owns(method: string, path: string): boolean {
    return method === 'POST' && PATH.test(path);
  }

  receive(request: ArrivedRequest): Received {
    const credentials = this.accessTokens.stateOf(request.headers.authorization);
    if (credentials === 'unknown') return refusedWith(401, '80200001', 'OAuth authentication error');
    if (credentials === 'expired') return refusedWith(401, '80200003', 'OAuth token expired');
    const payload = parseJson(request.body);
    const problem = hmsProblem(payload);
    if (problem !== undefined) return refusedWith(400, problem.code, problem.message);
    // The tokens do not belong to the application in the address, so Push Kit calls all of them invalid.
    if (PATH.exec(request.path)?.[1] !== this.appId)
      return refusedWith(200, ALL_TOKENS_INVALID, 'All the tokens are invalid');
    return { kind: 'submitted', submission: submissionOf(payload as HmsSendBody) };
  }

  accept(submission: Submission, refusedTokens: readonly string[]): Acceptance {
    const vendorMessageId = requestId();
    if (refusedTokens.length === 0) {
      return { answer: hmsAnswer(200, '80000000', 'Success', vendorMessageId), vendorMessageId };
    }
    const failure = refusedTokens.length;
    const msg = JSON.stringify({
      success: submission.tokens.length - failure,
      failure,
      illegal_tokens: refusedTokens,
    });
    return { answer: hmsAnswer(200, '80100000', msg, vendorMessageId), vendorMessageId };
  }

  refuse(refusal: Refusal): Refused {
    if (refusal.kind !== 'status') {
      const answer = hmsAnswer(200, ALL_TOKENS_INVALID, 'All the tokens are invalid', requestId());
      return { code: ALL_TOKENS_INVALID, answer };
    }
    const code = refusal.code ?? CODE_BY_HTTP[refusal.http] ?? '81000001';
    return { code, answer: hmsAnswer(refusal.http, code, 'The service says no', requestId(), refusal.retryAfter) };
  }

  summarize(payload: unknown): Summary {
    const { data, notification, android } = (payload as HmsSendBody).message;
    const { title = '', body = data ?? '' } = { ...notification, ...android?.notification };
    return { title, body };
  }
}

interface HmsSendBody {
  message: HmsMessage;
  validate_only?: boolean;
}

/** The payload is kept without its tokens: the inbox has one entry per token already. */
function submissionOf(request: HmsSendBody): Submission {
  const { token, ...message } = request.message;
  return {
    tokens: token ?? [message.topic ?? message.condition ?? ''],
    payload: { ...request, message },
    details: {},
    isRehearsal: request.validate_only === true,
  };
}

function refusedWith(status: number, code: string, message: string): Received {
  return refused(code, hmsAnswer(status, code, message, requestId()));
}

function hmsAnswer(status: number, code: string, msg: string, id: string, retryAfter?: number | string): Answer {
  return jsonAnswer(status, { code, msg, requestId: id }, retryAfter);
}

function requestId(): string {
  return `${Date.now()}${randomBytes(6).toString('hex')}`;
}
