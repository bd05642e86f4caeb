import type { DeviceId } from '@postrider/domain';
import type { DeadToken } from '@postrider/persistence';

/**
 * What a vendor said about tokens, in the order in which it did. The order matters: 200 dead after 200 good are a jump;
 * 200 spread among 100,000 are not.
 */
export class TokenAnswerLog {
  /** A number: so many accepted ones in a row. Silent ones that were accepted are left out. */
  readonly steps: (number | DeadToken)[] = [];
  /** The devices whose tokens were accepted. */
  readonly accepted: DeviceId[] = [];
  silentAccepted = 0;
  #dead = 0;

  get dead(): number {
    return this.#dead;
  }

  /** True if there is nothing in it. */
  get isEmpty(): boolean {
    return this.#dead === 0 && this.accepted.length === 0;
  }

  accept(deviceId: DeviceId, isSilent: boolean): void {
    this.accepted.push(deviceId);
    if (isSilent) this.silentAccepted += 1;
    else this.#acceptedInARow(1);
  }

  die(token: DeadToken): void {
    this.#dead += 1;
    this.steps.push(token);
  }

  /** Adds what was said afterwards. @param isDoubted tells which dead ones are left out */
  append(later: TokenAnswerLog, isDoubted: (token: DeadToken) => boolean): void {
    for (const step of later.steps) {
      if (typeof step === 'number') this.#acceptedInARow(step);
      else if (!isDoubted(step)) this.die(step);
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
