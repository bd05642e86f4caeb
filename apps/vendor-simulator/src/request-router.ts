import type { FaultBook, Verdict } from './faults/fault-book';
import type { DecidingFault } from './faults/fault-rule';
import type { Inbox } from './inbox/inbox';
import type { Settings } from './settings/settings';
import type { VendorApi, Refusal, Submission } from './vendors/vendor-api';
import type { Answer, Exchange } from './wire/exchange';

const PROXY_PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Please try again later</h1>',
};

/**
 * Passes every request to its vendor API, applies the configured faults, and stores accepted messages in the inbox. A
 * message is stored when it is accepted, before the answer is sent: a caller that gets no answer may have sent it.
 */
export class RequestRouter {
  constructor(
    private readonly apis: readonly VendorApi[],
    private readonly faults: FaultBook,
    private readonly inbox: Inbox,
    private readonly settings: Settings,
  ) {}

  /** Handles one request. Never throws: one unforeseen request must not end all the others. */
  handle(exchange: Exchange): void {
    try {
      this.serve(exchange);
    } catch (error) {
      exchange.answer({ status: 500, headers: { 'content-type': 'text/plain' }, body: `${String(error)}\n` });
    }
  }

  private serve(exchange: Exchange): void {
    const api = this.apiFor(exchange.method, exchange.path);
    if (api === undefined) {
      exchange.answer({
        status: 404,
        headers: { 'content-type': 'text/plain' },
        body: 'No vendor has this address.\n',
      });
      return;
    }
    const received = api.receive(exchange);
    if (received.kind === 'refused') {
      this.inbox.counter(api.name).countRefused(received.code);
      this.answer(exchange, received.answer, 0);
      return;
    }
    if (received.kind === 'dropped') {
      this.inbox.counter(api.name).countRefused(received.code);
      exchange.dropConnection();
      return;
    }
    this.decide(api, received.submission, exchange);
  }

  private apiFor(method: string, path: string): VendorApi | undefined {
    for (const api of this.apis) if (api.owns(method, path)) return api;
    return undefined;
  }

  private decide(api: VendorApi, submission: Submission, exchange: Exchange): void {
    const verdicts = submission.tokens.map((token) =>
      this.faults.verdictOn(api.name, token, exchange.connection.requests),
    );
    const delayMs = Math.max(...verdicts.map((verdict) => verdict.delayMs));
    if (verdicts.some((verdict) => verdict.sendsGoAway)) exchange.announceGoAway();
    const fault = faultOfAll(verdicts);
    if (fault === undefined) this.accept(api, submission, verdicts, { exchange, delayMs });
    else this.applyFault(api, submission, fault, { exchange, delayMs });
  }

  /** Accepts the tokens without a fault, and answers after the delay. */
  private accept(api: VendorApi, submission: Submission, verdicts: Verdict[], reply: Reply): void {
    const answer = this.take(api, submission, verdicts);
    this.answer(reply.exchange, answer, reply.delayMs);
  }

  private take(api: VendorApi, submission: Submission, verdicts: readonly Verdict[]): Answer {
    const counter = this.inbox.counter(api.name);
    const refusedTokens = submission.tokens.filter((_, index) => verdicts[index]?.fault !== undefined);
    const acceptance = api.accept(submission, refusedTokens);
    if (submission.isRehearsal) {
      counter.countRehearsed();
      return acceptance.answer;
    }
    submission.tokens.forEach((token, index) => {
      const fault = verdicts[index]?.fault;
      if (fault === undefined) this.inbox.keep(api, token, submission, acceptance);
      else counter.countRefused(fault.kind);
    });
    return acceptance.answer;
  }

  private applyFault(api: VendorApi, submission: Submission, fault: DecidingFault, { exchange, delayMs }: Reply): void {
    const refusal = refusalOf(fault);
    if (refusal !== undefined) {
      const { code, answer } = api.refuse(refusal, submission);
      this.inbox.counter(api.name).countRefused(code);
      this.answer(exchange, answer, delayMs);
      return;
    }
    this.inbox.counter(api.name).countFault(fault.kind);
    if (isTaken(fault)) this.take(api, submission, []);
    later(delayMs, () => breakExchange(exchange, fault));
  }

  private answer(exchange: Exchange, answer: Answer, delayMs: number): void {
    const ms = delayMs + this.settings.latencyMs;
    if (ms === 0) exchange.answer(answer);
    else later(ms, () => exchange.answer(answer));
  }
}

/** Where the answer goes, and how much later than usual. */
interface Reply {
  exchange: Exchange;
  delayMs: number;
}

/**
 * The fault that decides over a whole request: one that is not about a token, or the tokens' own when all have one.
 * (A request for several tokens of which some are dead is accepted for the others.)
 */
function faultOfAll(verdicts: readonly Verdict[]): DecidingFault | undefined {
  const faults = verdicts.map((verdict) => verdict.fault);
  const ofRequest = faults.find((fault) => fault !== undefined && !isOfToken(fault));
  return ofRequest ?? (faults.every((fault) => fault !== undefined) ? faults[0] : undefined);
}

function isOfToken(fault: DecidingFault): boolean {
  return fault.kind === 'dead_token' || fault.kind === 'invalid_token';
}

function refusalOf(fault: DecidingFault): Refusal | undefined {
  switch (fault.kind) {
    case 'dead_token':
      return { kind: 'dead' };
    case 'invalid_token':
      return { kind: 'invalid' };
    case 'status':
      return fault;
    default:
      return undefined;
  }
}

/** True if the vendor has accepted the message although its caller gets an error or no answer. */
function isTaken(fault: DecidingFault): boolean {
  if (fault.kind === 'hang') return true;
  return (fault.kind === 'reset' || fault.kind === 'close') && fault.taken === true;
}

function breakExchange(exchange: Exchange, fault: DecidingFault): void {
  if (fault.kind === 'reset') exchange.reset(fault.code ?? 'INTERNAL_ERROR');
  else if (fault.kind === 'close') exchange.dropConnection();
  else if (fault.kind === 'bad_body') exchange.answer({ ...PROXY_PAGE, status: fault.http ?? 200 });
}

function later(ms: number, act: () => void): void {
  if (ms === 0) act();
  else setTimeout(act, ms).unref();
}
