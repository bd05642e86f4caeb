import type { FaultBook, Verdict } from './faults/fault-book';
import type { DecidingFault } from './faults/fault-rule';
import type { Inbox } from './inbox/inbox';
import type { Settings } from './settings/settings';
import type { Desk, Refusal, Submission } from './vendors/desk';
import type { Answer, Exchange } from './wire/exchange';

const PROXY_PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Please try again later</h1>',
};

/**
 * Takes every request to the desk it is for, lets the faults have their say, and keeps the inbox.
 *
 * A message is kept the moment it is accepted, however long the answer then takes: what the caller has not heard of, the
 * vendor may well have.
 */
export class FrontOffice {
  constructor(
    private readonly desks: readonly Desk[],
    private readonly faults: FaultBook,
    private readonly inbox: Inbox,
    private readonly settings: Settings,
  ) {}

  /** Deals with one request. Never throws: one request that nobody foresaw must not end all the others. */
  handle(exchange: Exchange): void {
    try {
      this.serve(exchange);
    } catch (error) {
      exchange.answer({ status: 500, headers: { 'content-type': 'text/plain' }, body: `${String(error)}\n` });
    }
  }

  private serve(exchange: Exchange): void {
    const desk = this.deskFor(exchange.method, exchange.path);
    if (desk === undefined) {
      exchange.answer({
        status: 404,
        headers: { 'content-type': 'text/plain' },
        body: 'No vendor has this address.\n',
      });
      return;
    }
    const received = desk.receive(exchange);
    if (received.kind === 'refused') {
      this.inbox.counter(desk.name).countRefused(received.code);
      this.answer(exchange, received.answer, 0);
      return;
    }
    if (received.kind === 'hung-up') {
      this.inbox.counter(desk.name).countRefused(received.code);
      exchange.dropConnection();
      return;
    }
    this.decide(desk, received.submission, exchange);
  }

  private deskFor(method: string, path: string): Desk | undefined {
    for (const desk of this.desks) if (desk.owns(method, path)) return desk;
    return undefined;
  }

  private decide(desk: Desk, submission: Submission, exchange: Exchange): void {
    const verdicts = submission.tokens.map((token) =>
      this.faults.verdictOn(desk.name, token, exchange.connection.requests),
    );
    const delayMs = Math.max(...verdicts.map((verdict) => verdict.delayMs));
    if (verdicts.some((verdict) => verdict.saysGoodbye)) exchange.sayGoodbye();
    const fault = faultOfAll(verdicts);
    if (fault === undefined) this.accept(desk, submission, verdicts, { exchange, delayMs });
    else this.strike(desk, submission, fault, { exchange, delayMs });
  }

  /** Accepts the tokens that nothing speaks against, and answers when the time has come. */
  private accept(desk: Desk, submission: Submission, verdicts: Verdict[], way: Way): void {
    const answer = this.take(desk, submission, verdicts);
    this.answer(way.exchange, answer, way.delayMs);
  }

  private take(desk: Desk, submission: Submission, verdicts: readonly Verdict[]): Answer {
    const counter = this.inbox.counter(desk.name);
    const refusedTokens = submission.tokens.filter((_, index) => verdicts[index]?.fault !== undefined);
    const acceptance = desk.accept(submission, refusedTokens);
    if (submission.isRehearsal) {
      counter.countRehearsed();
      return acceptance.answer;
    }
    submission.tokens.forEach((token, index) => {
      const fault = verdicts[index]?.fault;
      if (fault === undefined) this.inbox.keep(desk, token, submission, acceptance);
      else counter.countRefused(fault.kind);
    });
    return acceptance.answer;
  }

  private strike(desk: Desk, submission: Submission, fault: DecidingFault, { exchange, delayMs }: Way): void {
    const refusal = refusalOf(fault);
    if (refusal !== undefined) {
      const { code, answer } = desk.refuse(refusal, submission);
      this.inbox.counter(desk.name).countRefused(code);
      this.answer(exchange, answer, delayMs);
      return;
    }
    this.inbox.counter(desk.name).countFault(fault.kind);
    if (isTaken(fault)) this.take(desk, submission, []);
    later(delayMs, () => misbehave(exchange, fault));
  }

  private answer(exchange: Exchange, answer: Answer, delayMs: number): void {
    const ms = delayMs + this.settings.latencyMs;
    if (ms === 0) exchange.answer(answer);
    else later(ms, () => exchange.answer(answer));
  }
}

/** How an answer travels. */
interface Way {
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

/** Whether the vendor has accepted the message although its caller hears nothing good. */
function isTaken(fault: DecidingFault): boolean {
  if (fault.kind === 'hang') return true;
  return (fault.kind === 'reset' || fault.kind === 'close') && fault.taken === true;
}

function misbehave(exchange: Exchange, fault: DecidingFault): void {
  if (fault.kind === 'reset') exchange.reset(fault.code ?? 'INTERNAL_ERROR');
  else if (fault.kind === 'close') exchange.dropConnection();
  else if (fault.kind === 'bad_body') exchange.answer({ ...PROXY_PAGE, status: fault.http ?? 200 });
}

function later(ms: number, act: () => void): void {
  if (ms === 0) act();
  else setTimeout(act, ms).unref();
}
