import type { HttpClient, HttpResult } from '../../http1/http-client';
import { outcomeOfFailure } from '../../outcome/outcome-of-failure';
import { retryAfterMs } from '../../outcome/retry-after';
import type { CheckResult } from '../../sender';
import { readId, readJsonObject, smsBody, smsClient, classOfSmsStatus, refusalOf } from '../sms-http';
import type { HttpSmsCredentials, SmsOutcome, SmsRequest, SmsSender, SmsSenderOptions } from '../sms-sender';
import { bodyFormatOf, CONTENT_TYPES, SmsTemplate } from './sms-template';

const STEP = /[^.[\]]+/g;

/** Returns the part of a value at `path` (`data.messages[0].id`); undefined if there is none. */
export function readPath(value: unknown, path: string): unknown {
  let found = value;
  for (const [step] of path.replace(/^\$\.?/, '').matchAll(STEP)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

/** Sends through any provider that takes one HTTP request for one SMS, as described in its credentials. */
export class HttpSmsSender implements SmsSender {
  readonly provider = 'http';
  readonly #client: HttpClient;
  readonly #template: SmsTemplate;
  readonly #headers: Record<string, string>;

  /** @throws when the template cannot be parsed */
  constructor(
    private readonly credentials: HttpSmsCredentials,
    private readonly options: SmsSenderOptions,
  ) {
    const { body, headers, method, ca } = credentials;
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const format = method === 'GET' ? 'form' : bodyFormatOf(body, given['content-type']);
    this.#template = new SmsTemplate(body, format);
    this.#headers = method === 'GET' ? given : { 'content-type': CONTENT_TYPES[format], ...given };
    this.#client = smsClient(options, ca);
  }

  async send({ to, text, id, mayWrite }: SmsRequest): Promise<SmsOutcome> {
    const { method, endpoint, query } = this.credentials;
    let body: string;
    try {
      body = this.#template.render({ to, text, id });
    } catch (error) {
      return refusalOf('request_invalid', 'template', error instanceof Error ? error.message : String(error));
    }
    const url = new URL(endpoint);
    url.search = method === 'GET' ? [query.replace(/^\?/, ''), body].filter((part) => part !== '').join('&') : query;
    const late = smsBody(method === 'GET' ? '' : body, mayWrite);
    const result = await this.#client.send(method, url, this.#headers, late);
    return this.#read(result);
  }

  /** It is impossible to know without sending an SMS. */
  check(): Promise<CheckResult> {
    const reason = 'This kind of provider cannot be checked without sending an SMS';
    return Promise.resolve({ ok: false, code: 'not_checkable', reason });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #read(result: HttpResult): SmsOutcome {
    if (result.kind !== 'answer') return outcomeOfFailure(result) as SmsOutcome;
    const { status, headers, body } = result;
    const { successStatus, idPath } = this.credentials;
    const isTaken = successStatus.length === 0 ? status >= 200 && status < 300 : successStatus.includes(status);
    if (isTaken) {
      const id = idPath === undefined ? null : readId(readPath(readJsonObject(body), idPath));
      return { kind: 'accepted', vendorMessageId: id };
    }
    const retryAfter = retryAfterMs(headers['retry-after'], this.options.clock.now());
    return refusalOf(classOfSmsStatus(status), `HTTP_${status}`, body.trim(), retryAfter);
  }
}
