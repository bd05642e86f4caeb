import { Injectable } from '@nestjs/common';
import { capRoleOf, FREQUENCY_CAPPED } from '@postrider/domain';
import {
  ContactsRepository,
  type Executor,
  FallbacksRepository,
  type FallbackVerdict,
  type MessageKey,
  OptedOutNumbersRepository,
} from '@postrider/persistence';

/** What the frequency caps say about users whose fallbacks are due. */
export interface CapLook {
  /** The users who were looked at. */
  asked: ReadonlySet<string>;
  /** Those who have reached a cap. */
  capped: ReadonlySet<string>;
}

/**
 * Knows who gets no SMS although nothing else speaks against it: users who have reached a frequency cap, and numbers
 * whose owners told a provider to stop.
 */
@Injectable()
export class RefusedSms {
  /** Applications whose opted-out numbers this process has digested: earlier versions stored plain numbers. */
  readonly #digested = new Set<string>();

  constructor(
    private readonly fallbacks: FallbacksRepository,
    private readonly contacts: ContactsRepository,
    private readonly optedOutNumbers: OptedOutNumbersRepository,
  ) {}

  /**
   * Checks the caps for users whom no page has checked yet: a fallback may be due before its message leaves, because
   * its delay is short or the message has a rate. The message counts for them from now on, as when a page checks it.
   * Not in the transaction that locks the fallbacks: an erasure locks both kinds of rows.
   *
   * @returns null if no cap applies to the message
   */
  async lookAtCaps(key: MessageKey, now: Date, limit: number): Promise<CapLook | null> {
    const caps = await this.fallbacks.findCaps(key);
    if (caps === null || caps.frequencyCaps.length === 0) return null;
    if (!capRoleOf(caps.lane, caps.content).isCapped) return null;
    const users = await this.fallbacks.findUsersOfDue(key, now, limit);
    const devices = users.flatMap(({ userId, undecidedDevice: id }) => (id === null ? [] : [{ id, userId }]));
    const refused = await this.contacts.record({
      ...key,
      devices,
      frequencyCaps: caps.frequencyCaps,
      isCapped: true,
      since: caps.since,
      now,
    });
    return {
      asked: new Set(users.map(({ userId }) => userId)),
      capped: new Set(devices.filter(({ id }) => refused.has(id)).map(({ userId }) => userId)),
    };
  }

  /** Once for each application, before the first call of `withoutOptedOut`. */
  async digestNumbersOf(appId: string): Promise<void> {
    if (this.#digested.has(appId)) return;
    await this.optedOutNumbers.digest(appId);
    this.#digested.add(appId);
  }

  /** Numbers whose owner told a provider to stop get no SMS of this application. */
  async withoutOptedOut(
    executor: Executor,
    appId: string,
    decided: readonly FallbackVerdict[],
  ): Promise<FallbackVerdict[]> {
    const phones = decided.flatMap(({ state, phone }) => (state === 'sending' && phone !== null ? [phone] : []));
    const optedOut = await this.optedOutNumbers.find(executor, appId, phones);
    return decided.map((decision) =>
      decision.state === 'sending' && optedOut.has(decision.phone ?? '')
        ? {
            ...decision,
            state: 'failed',
            errorCode: 'opted_out',
            reason: 'The owner of this number told the SMS provider to stop',
          }
        : decision,
    );
  }
}

/** The verdict about a user who has reached a cap: no SMS. Pure. */
export function withCap(verdict: FallbackVerdict, look: CapLook | null): FallbackVerdict {
  const isOpen = verdict.state === 'sending' || verdict.state === 'no_phone';
  if (!isOpen || !look?.capped.has(verdict.userId)) return verdict;
  return { userId: verdict.userId, state: 'cancelled', phone: null, reason: FREQUENCY_CAPPED.reason };
}
