import { type DeviceId, isSilentToken, type NextStep, timestampOf } from '@postrider/domain';
import type { DeadToken, PageDevice } from '@postrider/persistence';

/**
 * A vendor's answers about tokens, in their order. The order matters: 200 dead after 200 good are a jump; 200 spread
 * among 100,000 are not.
 */
export class TokenAnswerLog {
  /** A number stands for that many accepted tokens in a row. Silent tokens that were accepted are left out. */
  readonly steps: (number | DeadToken)[] = [];
  /** The devices whose tokens were accepted. */
  readonly accepted: DeviceId[] = [];
  silentAccepted = 0;
  #dead = 0;

  get dead(): number {
    return this.#dead;
  }

  /** True if the log is empty. */
  get isEmpty(): boolean {
    return this.#dead === 0 && this.accepted.length === 0;
  }

  /** Adds an accepted token. */
  addAccepted(deviceId: DeviceId, isSilent: boolean): void {
    this.accepted.push(deviceId);
    if (isSilent) this.silentAccepted += 1;
    else this.#acceptedInARow(1);
  }

  /** Adds a token that the vendor called dead. */
  addDead(token: DeadToken): void {
    this.#dead += 1;
    this.steps.push(token);
  }

  /** Appends later answers. @param isDoubted returns true for the dead tokens to leave out */
  append(later: TokenAnswerLog, isDoubted: (token: DeadToken) => boolean): void {
    for (const step of later.steps) {
      if (typeof step === 'number') this.#acceptedInARow(step);
      else if (!isDoubted(step)) this.addDead(step);
    }
    for (const deviceId of later.accepted) this.accepted.push(deviceId);
    this.silentAccepted += later.silentAccepted;
  }

  #acceptedInARow(count: number): void {
    const last = this.steps.length - 1;
    if (typeof this.steps[last] === 'number') this.steps[last] += count;
    else this.steps.push(count);
  }
}

/** Returns the token of a device that its vendor called dead. */
export function deadTokenOf(
  device: PageDevice,
  { deadSince, code }: Extract<NextStep, { kind: 'token_dead' }>,
  now: number,
): DeadToken {
  const { id, token, tokenRegisteredAtMicros: micros } = device;
  return {
    deviceId: id,
    token: token ?? '',
    registeredAt: micros === null ? null : timestampOf(micros),
    deadSince: deadSince ?? null,
    isSilent: isSilent(device, now),
    code,
  };
}

/** True if the token of a device was registered so long ago that its device may be gone without the vendor knowing. */
export function isSilent({ tokenRegisteredAtMicros: micros }: PageDevice, now: number): boolean {
  return isSilentToken(micros === null ? null : micros / 1_000, now);
}
