import { Inject, Injectable } from '@nestjs/common';
import { type SendOutcome, storableText } from '@postrider/domain';
import type { TokenValidation } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import { FcmSenders } from './fcm-senders.service';
import type { ReadRecords } from './read-import-records';
import { type AskVendor, type CallPace, type TokenVerdict, validateTokens } from './validate-tokens';

/** The counts if FCM was not asked. */
export const NOT_VALIDATED: TokenValidation = {
  validTokens: 0,
  invalidTokens: 0,
  unansweredTokens: 0,
  validationError: null,
};

/** Records without those whose token FCM refused, which are among the errors; and the counts of the answers. */
export interface ValidatedRecords {
  read: ReadRecords;
  validation: TokenValidation;
}

const NO_SENDER: SendOutcome = {
  kind: 'config',
  code: 'no_sender',
  reason: 'No usable credentials are stored for this vendor',
};

/** Asks FCM about the tokens of records. Records with tokens of other vendors do not change. */
@Injectable()
export class ValidateRecords {
  constructor(
    private readonly senders: FcmSenders,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retryTimeScale'>,
  ) {}

  /** @returns null if `signal` fired before all questions were answered */
  async validate(
    appId: string,
    read: ReadRecords,
    { pace, signal }: { pace: CallPace; signal: AbortSignal },
  ): Promise<ValidatedRecords | null> {
    const ofFcm = read.devices.filter(({ device }) => device.registration.pushType === 'fcm');
    if (ofFcm.length === 0) return { read, validation: NOT_VALIDATED };
    const tokens = [...new Set(ofFcm.map(({ device }) => device.registration.token))];
    const asking = { pace, signal, timeScale: this.config.retryTimeScale };
    const verdicts = await validateTokens(await this.#questionsOf(appId), tokens, asking);
    return verdicts && applied(read, verdicts);
  }

  async #questionsOf(appId: string): Promise<AskVendor> {
    const sender = await this.senders.find(appId);
    return (token, done) => (sender?.validate ? sender.validate(token, done) : done(NO_SENDER));
  }
}

function applied(read: ReadRecords, verdicts: ReadonlyMap<string, TokenVerdict>): ValidatedRecords {
  const validation = { ...NOT_VALIDATED };
  const errors = [...read.errors];
  const devices = read.devices.filter(({ line, device: { registration } }) => {
    const verdict = registration.pushType === 'fcm' ? verdicts.get(registration.token) : undefined;
    if (verdict === undefined) return true;
    if (verdict.kind === 'valid') validation.validTokens += 1;
    else if (verdict.kind === 'invalid') validation.invalidTokens += 1;
    else {
      validation.unansweredTokens += 1;
      validation.validationError = storableText(`${verdict.code}: ${verdict.reason}`, 500);
    }
    if (verdict.kind === 'invalid') errors.push({ line, message: `FCM refuses the token: ${verdict.code}` });
    return verdict.kind !== 'invalid';
  });
  return { read: { ...read, devices, errors }, validation };
}
