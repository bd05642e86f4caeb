import type { JsonObject } from '@postrider/domain';
import type { HttpClient, HttpResult } from '../../http1/http-client';
import type { CheckResult } from '../../sender';
import { readId, readJsonObject, smsClient } from '../sms-http';
import type {
  KavenegarCredentials,
  SmsInquiry,
  SmsOutcome,
  SmsReport,
  SmsRequest,
  SmsSender,
  SmsSenderOptions,
} from '../sms-sender';
import { firstEntry, kavenegarStatus, readKavenegarAnswer, readKavenegarCheck } from './read-kavenegar-answer';

/** Kavenegar's status for an id that it does not know. */
const NO_SUCH_MESSAGE = 100;

/**
 * Sends through Kavenegar (v1). The API key is in the path of every request: no URL of this class may reach a log, an
 * outcome or an error.
 */
export class KavenegarSender implements SmsSender {
  readonly provider = 'kavenegar';
  readonly #client: HttpClient;

  constructor(
    private readonly credentials: KavenegarCredentials,
    private readonly options: SmsSenderOptions,
  ) {
    this.#client = smsClient(options, credentials.ca);
  }

  async send({ to, text, id, mayWrite }: SmsRequest): Promise<SmsOutcome> {
    const form = { receptor: receptorOf(to), message: text, sender: this.credentials.sender, localid: localIdOf(id) };
    return readKavenegarAnswer(await this.#call('sms/send', form, mayWrite), this.options.clock.now());
  }

  /** Asks by Kavenegar's id if it is known, else by the id that we gave. */
  async inquire({ providerMessageId, id }: SmsInquiry): Promise<SmsReport | 'absent' | null> {
    const result =
      providerMessageId === null
        ? await this.#call('sms/statuslocalmessageid', { localid: localIdOf(id) })
        : await this.#call('sms/status', { messageid: providerMessageId });
    const entry = firstEntry(result.kind === 'answer' && result.status === 200 ? readJsonObject(result.body) : null);
    return providerMessageId === null && entry?.status === NO_SUCH_MESSAGE ? 'absent' : reportOf(entry);
  }

  async check(): Promise<CheckResult> {
    const outcome = readKavenegarCheck(await this.#call('account/info', {}), this.options.clock.now());
    return outcome === null ? { ok: true } : { ok: false, code: outcome.code, reason: outcome.reason };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #call(method: string, form: Record<string, string>, mayWrite?: () => boolean): Promise<HttpResult> {
    const { endpoint, apiKey } = this.credentials;
    const url = new URL(`${endpoint}/v1/${encodeURIComponent(apiKey)}/${method}.json`);
    return this.#client.postForm(url, form, mayWrite);
  }
}

function reportOf(entry: JsonObject | null): SmsReport | null {
  const providerMessageId = readId(entry?.messageid);
  const status = kavenegarStatus(entry?.status);
  if (providerMessageId === null || status === null) return null;
  return { providerMessageId, status, errorCode: readId(entry?.status) };
}

/** Iranian numbers as they are dialled at home, all others with `00`. */
function receptorOf(to: string): string {
  return to.startsWith('+98') ? `0${to.slice(3)}` : to.replace(/^\+/, '00');
}

/** Kavenegar's ids are numbers: the first 60 bits of ours. */
function localIdOf(id: string): string {
  return BigInt(`0x${id.replaceAll('-', '').slice(0, 15)}`).toString();
}
