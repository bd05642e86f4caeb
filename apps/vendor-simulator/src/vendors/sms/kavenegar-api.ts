import type { Answer, ArrivedRequest } from '../../wire/exchange';
import { jsonAnswer } from '../../wire/json';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Submission, Summary } from '../vendor-api';

const PATH = /^\/v1\/([^/]+)\/(sms\/send|account\/info)\.json$/;
const MAX_RECEPTORS = 200;
const MOBILE = /^(?:\+?98|0098|0)?9\d{9}$|^(?:00|\+)[1-9]\d{6,14}$/;
const QUEUED = 1;

/** A question about the account: nothing is sent. */
const ABOUT_ACCOUNT: Submission = { tokens: ['account'], payload: {}, details: {}, isRehearsal: true };

/** Kavenegar's `sms/send.json` for one API key, which is in the path, and `account/info.json`, by which callers check the key. */
export class KavenegarApi implements VendorApi {
  readonly name = 'kavenegar';
  readonly takesMessages = true;
  private lastMessageId = Math.floor(Date.now() / 1_000);

  constructor(private readonly apiKey: string) {}

  owns(_method: string, path: string): boolean {
    return PATH.test(path);
  }

  receive(request: ArrivedRequest): Received {
    const [, apiKey, resource] = PATH.exec(request.path) ?? [];
    if (apiKey !== this.apiKey) return refusedWith(403, 'API key is invalid');
    if (resource === 'account/info') return { kind: 'submitted', submission: ABOUT_ACCOUNT };
    const form = new URLSearchParams(request.method === 'GET' ? request.query : request.body.toString('utf8'));
    const receptors = (form.get('receptor') ?? '').split(',').filter((receptor) => receptor !== '');
    const problem = problemOf(receptors, form.get('message') ?? '');
    if (problem !== undefined) return refusedWith(...problem);
    const payload = Object.fromEntries(form);
    return { kind: 'submitted', submission: { tokens: receptors, payload, details: {}, isRehearsal: false } };
  }

  accept(submission: Submission, refusedTokens: readonly string[]): Acceptance {
    if (submission.isRehearsal) {
      const account = { remaincredit: 1_000_000, expiredate: 13_548_889, type: 'master' };
      return { answer: envelope(200, 'ok', account), vendorMessageId: '' };
    }
    const form = submission.payload as Record<string, string>;
    const first = this.lastMessageId + 1;
    const entries = submission.tokens
      .filter((receptor) => !refusedTokens.includes(receptor))
      .map((receptor) => ({
        messageid: ++this.lastMessageId,
        message: form.message,
        status: QUEUED,
        statustext: 'queued',
        sender: form.sender ?? '',
        receptor,
        date: Math.floor(Date.now() / 1_000),
        cost: 120,
      }));
    return { answer: envelope(200, 'ok', entries), vendorMessageId: String(first) };
  }

  refuse(refusal: Refusal): Refused {
    if (refusal.kind !== 'status') return { code: '411', answer: envelope(411, 'receptor is invalid', null) };
    const code = Number(refusal.code ?? refusal.http);
    const body = { return: { status: code, message: 'the service says no' }, entries: null };
    return { code: String(code), answer: jsonAnswer(refusal.http, body, refusal.retryAfter) };
  }

  summarize(payload: unknown): Summary {
    const form = payload as Record<string, string>;
    return { title: form.sender ?? '', body: form.message ?? '' };
  }
}

function problemOf(receptors: readonly string[], text: string): [number, string] | undefined {
  if (receptors.length === 0) return [406, 'receptor is mandatory'];
  if (receptors.length > MAX_RECEPTORS) return [414, `more than ${MAX_RECEPTORS} receptors`];
  if (text === '') return [413, 'message is empty or too long'];
  return receptors.every((receptor) => MOBILE.test(receptor)) ? undefined : [411, 'receptor is invalid'];
}

function refusedWith(status: number, message: string): Received {
  return refused(String(status), envelope(status, message, null));
}

/** Kavenegar gives its own status as the HTTP status too. */
function envelope(status: number, message: string, entries: object | null): Answer {
  return jsonAnswer(status, { return: { status, message }, entries });
}
