import type { SendOutcome } from '@postrider/domain';

/**
 * Answers that blame a token, and are also what every token gets when the topic, the project or the environment of the
 * credentials is the wrong one; with how many of them in a row, and nothing taken before, are still believed.
 */
const SUSPECTS: Readonly<Record<string, number>> = {
  // APNs: the token is of another app of the same team.
  DeviceTokenNotForTopic: 3,
  // FCM: the token is of another project.
  SENDER_ID_MISMATCH: 3,
  // APNs: dead, or of the other environment.
  BadDeviceToken: 20,
  // Huawei: all tokens of the request, which may be one, are of another app.
  '80300007': 20,
};

/** Codes that say nothing else than that token and credentials do not belong together. */
const MISMATCHES = new Set(['DeviceTokenNotForTopic', 'SENDER_ID_MISMATCH']);

/** Whether a verdict on a token is worth nothing while the credentials have worked for nobody. */
export function isMismatch(code: string): boolean {
  return MISMATCHES.has(code);
}

/** Notices credentials that are taken for wrong by every single token: then it is not the tokens. */
export class SuspectVerdicts {
  #inARow = 0;

  /**
   * What an answer really means, on a route that has worked for nobody yet.
   *
   * @returns the same answer, or `config` when too many in a row blame their tokens
   */
  judge(outcome: SendOutcome): SendOutcome {
    if (outcome.kind !== 'token_invalid') return outcome;
    const believed = SUSPECTS[outcome.code];
    if (believed === undefined) return outcome;
    this.#inARow += 1;
    if (this.#inARow <= believed) return outcome;
    const { code, reason } = outcome;
    return { kind: 'config', code, reason: `${reason}; so for every device so far: the credentials must be wrong` };
  }

  /** Starts anew. */
  reset(): void {
    this.#inARow = 0;
  }
}
