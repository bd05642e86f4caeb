import { HOUR_MS, type SendOutcome } from '@postrider/domain';
import { FCM_KEY_MISSING } from '@postrider/vendors';

/**
 * Answers that blame a token, and that every token also gets if the topic, the project or the environment of the
 * credentials is wrong. `mismatch`: they say only that the token and the credentials do not belong together.
 */
const AMBIGUOUS_REFUSALS: Readonly<Record<string, 'mismatch' | 'perhaps-dead'>> = {
  // APNs: the token is of another app of the same team.
  DeviceTokenNotForTopic: 'mismatch',
  // FCM: the token is of another project.
  SENDER_ID_MISMATCH: 'mismatch',
  // APNs: dead, or of the other environment.
  BadDeviceToken: 'perhaps-dead',
  // Huawei: all tokens of the request, which may be one, belong to another app.
  '80300007': 'perhaps-dead',
};

/** If the vendor refuses this many devices in a row and accepts none, the credentials may be wrong, not the devices. */
const MOST_DEVICES = 20;
/**
 * If a push service refuses this many subscriptions in a row that it has accepted with the same key pair, and accepts none, it
 * refuses the pair: a subscription has the same key as long as it exists.
 */
const MOST_ACCEPTED = 3;
/** Credentials that have worked are not blamed because one device has been refused for this long. */
const BLAMED_AFTER_MS = HOUR_MS;

/** Why credentials are blamed, for the operator. */
const ALL_REFUSED = 'the same for every device so far, so the credentials must be wrong';
const PAIR_REFUSED = 'the same for devices that were accepted with this key pair, so the push service refuses the pair';

/** What is known when an answer arrives. Times in milliseconds since 1970. */
export interface RefusalContext {
  token: string;
  /** The device's attempt; the first is 1. */
  attempt: number;
  firstAttemptAt: number;
  /** True if the credentials have worked for any device. */
  isProven: boolean;
  /** When the vendor accepted something last; 0: not yet. */
  lastAcceptedAt: number;
  /** True if this worker has seen that the device's push service accepts this very token with these credentials (Web Push). */
  wasAccepted: boolean;
  /** True if the device's push service is one of several, and another one takes messages: the credentials are good. */
  isOneServiceAlone: boolean;
}

/** True if a refusal blames a token that may be alive while the credentials have not worked for any device. */
export function isAmbiguous(code: string): boolean {
  return AMBIGUOUS_REFUSALS[code] !== undefined;
}

/**
 * Tells devices that do not belong to the credentials from credentials that are wrong. One device alone does not show
 * which is the case: it waits for a moment, and the others go on. If the vendor accepts others meanwhile, the device is
 * wrong; if it refuses many different devices in a row and accepts none, the credentials are wrong.
 */
export class RefusalClassifier {
  /** Devices that were refused since the vendor last accepted something. */
  readonly #refused = new Set<string>();
  /** Those of them that the vendor accepted before with the same credentials. */
  readonly #refusedAgain = new Set<string>();

  /**
   * Returns what an answer that refuses a device really means.
   * @returns the same answer; `mismatch` if the device must wait; `request_invalid` if the device is wrong; `config` if
   * the credentials are wrong
   */
  classify(outcome: SendOutcome, context: RefusalContext, now: number): SendOutcome {
    if (outcome.kind === 'mismatch') return this.#classifyMismatch(outcome, context, now);
    if (outcome.kind === 'config' && outcome.code === FCM_KEY_MISSING)
      return this.#classifyMissingKey(outcome, context);
    if (outcome.kind !== 'token_invalid' || context.isProven || AMBIGUOUS_REFUSALS[outcome.code] === undefined)
      return outcome;
    this.#noteRefused(context.token);
    if (this.#areCredentialsAtFault) return refusedForCredentials(outcome);
    const { code, reason } = outcome;
    return AMBIGUOUS_REFUSALS[code] === 'mismatch' ? { kind: 'mismatch', code, reason } : outcome;
  }

  /** Starts again: the vendor accepted something, so the credentials are good; or the credentials changed. */
  reset(): void {
    if (this.#refused.size > 0) this.#refused.clear();
    if (this.#refusedAgain.size > 0) this.#refusedAgain.clear();
  }

  #classifyMismatch(outcome: SendOutcome & { kind: 'mismatch' }, context: RefusalContext, now: number): SendOutcome {
    const { attempt, firstAttemptAt, lastAcceptedAt, isProven } = context;
    const areOthersTaken = attempt > 1 && lastAcceptedAt >= firstAttemptAt;
    const isForLong = isProven && now - firstAttemptAt >= BLAMED_AFTER_MS;
    this.#noteMismatch(context);
    if (this.#isPairRefused && context.wasAccepted) return refusedForCredentials(outcome, PAIR_REFUSED);
    // Only Web Push answers so, and its key pair is the application's own. If it has worked for any device, these were probably
    // subscribed with a former one, and all who are subscribed with this one must not wait for them.
    if (this.#areCredentialsAtFault && !areOthersTaken) return isProven ? outcome : refusedForCredentials(outcome);
    if (!areOthersTaken && !isForLong) return outcome;
    const { code, reason } = outcome;
    return {
      kind: 'request_invalid',
      code,
      reason: `${reason}; other devices are accepted, so the token of this device is wrong`,
    };
  }

  /**
   * Devices that do not need the key must not wait for those that do, so the route is held only if nothing is accepted. A device
   * that needs it is tried again, because the key may be stored meanwhile.
   */
  #classifyMissingKey(
    { code, reason }: SendOutcome & { kind: 'config' },
    { token, isProven }: RefusalContext,
  ): SendOutcome {
    this.#noteRefused(token);
    const kind = isProven && !this.#areCredentialsAtFault ? 'mismatch' : 'config';
    return { kind, code, reason };
  }

  #noteMismatch({ token, wasAccepted, isOneServiceAlone }: RefusalContext): void {
    if (isOneServiceAlone) return;
    this.#noteRefused(token);
    if (wasAccepted && this.#refusedAgain.size < MOST_ACCEPTED) this.#refusedAgain.add(token);
  }

  #noteRefused(token: string): void {
    if (this.#refused.size < MOST_DEVICES) this.#refused.add(token);
  }

  get #areCredentialsAtFault(): boolean {
    return this.#refused.size >= MOST_DEVICES;
  }

  get #isPairRefused(): boolean {
    return this.#refusedAgain.size >= MOST_ACCEPTED;
  }
}

function refusedForCredentials({ code, reason }: { code: string; reason: string }, why = ALL_REFUSED): SendOutcome {
  return { kind: 'config', code, reason: `${reason}; ${why}` };
}
